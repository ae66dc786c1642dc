import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { rememberKey } from './keys.ts'
import { tempDir } from './temp.ts'

const root = join(import.meta.dirname, '../..')
export const STRING = join(root, 'packages/stringd/bin/string.cjs')
export const STRINGD = join(root, 'packages/stringd/bin/stringd.cjs')

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Place {
  readonly dir: string
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  /** The built command line. */
  string(args: readonly string[], options?: RunOptions): Promise<Ran>
  daemonPid(): number | null
  /** Of the daemon that runs. */
  readonly daemonPort: () => number
}

interface RunOptions {
  readonly input?: string | Uint8Array
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** As another user, which only root can. */
  readonly uid?: number
}

/** A String of its own: home and data in a temporary folder, a port of the system's choice. Its daemon ends with the test. */
export function stringPlace(overrides: NodeJS.ProcessEnv = {}): Place {
  const dir = tempDir()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    // What a person's ~/.bashrc does is not what is tested.
    HOME: dir,
    STRING_HOME: join(dir, 'string'),
    STRING_PORT: '0',
    ...overrides,
  }
  const dataDir = join(dir, 'string/daemon')
  const record = join(dataDir, 'daemon.json')
  const place: Place = {
    dir,
    dataDir,
    env,
    string: (args, options = {}) =>
      run(process.execPath, [STRING, ...args], { cwd: dir, ...options, env: { ...env, ...options.env } }),
    daemonPid: () => (existsSync(record) ? readRecord(record).pid : null),
    daemonPort: () => {
      const { port } = readRecord(record)
      rememberKey(port, dataDir)
      return port
    },
  }
  onTestFinished(async () => {
    await place.string(['--daemon', 'stop'])
  })
  return place
}

function readRecord(path: string): { pid: number; port: number } {
  return JSON.parse(readFileSync(path, 'utf8')) as { pid: number; port: number }
}

export function run(program: string, args: readonly string[], { input, cwd, env, uid }: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const user = uid === undefined ? {} : { uid, gid: uid }
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], ...user })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** `kill -9` of the daemon of a place; when this is done, there is none. */
export async function killDaemon(place: Place): Promise<void> {
  const pid = place.daemonPid() ?? 0
  process.kill(pid, 'SIGKILL')
  while (isRunning(pid)) await sleep(5)
}

/** Whether a process is there and no zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    // It is gone.
    return false
  }
}
