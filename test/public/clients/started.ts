import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Ran } from '../../support/cli.ts'

/** How long a program may take that should take seconds. */
const LIMIT_MS = 90_000
const GRACE_MS = 8000

export interface Started {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** What it printed so far. */
  readonly printed: () => string
  readonly ended: Promise<Ran>
  /** To everything in its group, as Ctrl-C in a terminal. */
  readonly signal: (name: NodeJS.Signals) => void
}

interface Surroundings {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** A program in a group of its own, which is killed as a whole when it takes too long. */
export function start(program: string, args: readonly string[], { cwd, env }: Surroundings): Started {
  const child: ChildProcess = spawn(program, args, { cwd, env, detached: true, stdio: 'pipe' })
  const { pid = 0, stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('Pipes were asked for')
  const output = { stdout: '', stderr: '' }
  for (const [name, stream] of Object.entries({ stdout, stderr })) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output[name as 'stdout' | 'stderr'] += chunk
    })
  }
  stdin.on('error', () => undefined)
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name)
    } catch {
      // It is gone.
    }
  }
  const ended = new Promise<Ran>((resolve, reject) => {
    const limit = setTimeout(() => {
      // The bridge ends its agent, if it is let.
      signal('SIGTERM')
      setTimeout(() => signal('SIGKILL'), GRACE_MS)
      reject(
        new Error(`${program} ${args.join(' ')} took longer than ${LIMIT_MS} ms\n${output.stdout}${output.stderr}`),
      )
    }, LIMIT_MS)
    child.on('error', reject)
    child.on('close', (status) => {
      clearTimeout(limit)
      resolve({ status, ...output })
    })
  })
  // Whoever waits for something else first is told when it asks.
  ended.catch(() => undefined)
  return { pid, stdin, stdout, printed: () => output.stdout, ended, signal }
}

/** A program whose input is empty, to its end. */
export function runOnce(program: string, args: readonly string[], surroundings: Surroundings): Promise<Ran> {
  const started = start(program, args, surroundings)
  started.stdin.end()
  return started.ended
}
