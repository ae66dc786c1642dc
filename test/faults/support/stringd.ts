import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { STRINGD } from '../../support/cli.ts'
import { rememberKey } from '../../support/keys.ts'
import { tempDir } from '../../support/temp.ts'

/** The place and the troubles of a daemon; all of them are optional. */
export interface StringdOptions {
  /** Holds `data` and the homes; give the same one to start again on what is there. */
  readonly dir?: string
  /** Options of bash's `ulimit`, such as `-n 64` (descriptors) or `-f 8` (KiB that a file may have). */
  readonly ulimit?: string
  /** Runs as somebody whom permissions hold up; give `dir` from `plainUserDir`. */
  readonly asPlainUser?: boolean
  /** Mounts a disk of this size over `dir`, seen by the daemon alone and through `inside`. */
  readonly diskKib?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface Stringd {
  readonly child: ChildProcess
  readonly port: number
  readonly dir: string
  readonly dataDir: string
  /** A path as this process can reach it, when the daemon has a disk of its own. */
  readonly inside: (path: string) => string
  readonly stderr: () => string
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>
  /** SIGTERM; resolves with its exit status. */
  readonly end: () => Promise<number | null>
  readonly exited: Promise<number | null>
}

/** Whoever it is, it is not root: permissions hold for it. */
const PLAIN_USER = 65_534

/** Starts the built daemon and waits until it is ready; it ends with the test at the latest. */
export async function startStringd(options: StringdOptions = {}): Promise<Stringd> {
  const started = spawnStringd(options)
  const port = await Promise.race([started.ready, started.exited.then(() => null)])
  if (port === null) throw new Error(`stringd did not start: ${started.stderr()}`)
  const { child, exited, stderr, dir } = started
  if (options.diskKib === undefined) rememberKey(port, join(dir, 'data'))
  const ended = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return exited
  }
  return {
    child,
    port,
    dir,
    dataDir: join(dir, 'data'),
    inside: (path) => join(`/proc/${child.pid}/root`, path),
    stderr,
    kill: async () => void (await ended('SIGKILL')),
    end: () => ended('SIGTERM'),
    exited,
  }
}

/** The same for a daemon that is expected to leave by itself: its status and what it said. */
export async function failStringd(options: StringdOptions = {}): Promise<{ status: number | null; stderr: string }> {
  const { exited, stderr } = spawnStringd(options)
  return { status: await exited, stderr: stderr() }
}

/** A folder that belongs to the plain user; with root's rights no folder is read-only. */
export function plainUserDir(): string {
  const dir = tempDir()
  if (process.getuid?.() === 0) {
    chmodSync(tmpdir(), 0o711)
    chownSync(dir, PLAIN_USER, PLAIN_USER)
  }
  return dir
}

function spawnStringd(options: StringdOptions) {
  const { dir = tempDir(), env = {}, asPlainUser = false } = options
  const isOther = asPlainUser && process.getuid?.() === 0
  const [program = '', ...args] = commandLine(options, dir)
  const child = spawn(program, args, {
    env: {
      ...process.env,
      HOME: dir,
      STRING_HOME: dir,
      STRING_DATA_DIR: join(dir, 'data'),
      // The test asks as root.
      ...(isOther ? { STRING_ALLOW_UIDS: '0' } : {}),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isOther ? { uid: PLAIN_USER, gid: PLAIN_USER } : {}),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  const ready = new Promise<number>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
      const port = /"stringd is ready","port":(\d+)/.exec(stderr)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  })
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  return { child, dir, ready, exited, stderr: () => stderr }
}

/** Every wrapper replaces itself by the next program, so that the pid is the daemon's. */
function commandLine({ ulimit, diskKib }: StringdOptions, dir: string): string[] {
  const stringd = [process.execPath, STRINGD, '--port', '0']
  const steps = [
    ...(diskKib === undefined ? [] : [`mount -t tmpfs -o size=${diskKib}k tmpfs '${dir}'`]),
    ...(ulimit === undefined ? [] : [`ulimit ${ulimit}`]),
  ]
  if (steps.length === 0) return stringd
  const inBash = ['/bin/bash', '-c', `${steps.join(' && ')} && exec "$@"`, 'bash', ...stringd]
  return diskKib === undefined ? inBash : ['unshare', '-Urm', ...inBash]
}
