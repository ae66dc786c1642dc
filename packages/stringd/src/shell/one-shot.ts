import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Readable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { endFamily } from '@string-os/bridge/reap'
import { LIMITS } from '@string-os/protocol'
import type { Output } from './output.ts'

export interface OneShot {
  readonly script: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The mark that all it starts carries. */
  readonly owner: string
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** How a command ended: with a status, because it took too long, or because its topic was closed. */
export type OneShotEnd =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'timeout' | 'cancelled' }
  /** `next`: what to do about it, where that has nothing to do with the folder. */
  | { readonly kind: 'failed'; readonly reason: string; readonly next?: string }

/** Descriptors of the daemon are closed first: terminals of bash topics are not closed on exec by themselves. */
export const CLOSE_OTHERS = `for fd in /proc/self/fd/* /dev/fd/*; do
  fd=\${fd##*/}
  case $fd in 0 | 1 | 2 | '*') ;; *) eval "exec $fd>&-" ;; esac
done`

/** Standard error goes where standard output goes, in the order in which both were written. */
const CLEAN_START = `${CLOSE_OTHERS}
exec 2>&1
exec /bin/bash -c "$1"`

/** Runs a script in a bash of its own, in its own process group; all it started is ended when it takes too long. */
export async function runOneShot(
  { script, cwd, env, owner, limitMs, signal }: OneShot,
  output: Output,
): Promise<OneShotEnd> {
  const child = spawn('/bin/bash', ['-c', CLEAN_START, 'bash', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stdout = pipeOf(child)
  stdout.on('data', (chunk: Buffer) => output.add(chunk))
  const closed = new Promise<void>((resolve) => {
    stdout.on('close', () => resolve())
  })
  const end = await new Promise<OneShotEnd>((resolve) => {
    const stop = (): void => resolve({ kind: 'cancelled' })
    const timer = setTimeout(() => resolve({ kind: 'timeout' }), limitMs)
    const done = (how: OneShotEnd): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(how)
    }
    signal.addEventListener('abort', stop, { once: true })
    child.on('error', (error: NodeJS.ErrnoException) => done({ kind: 'failed', reason: error.code ?? error.message }))
    child.on('exit', (code, name) =>
      done({ kind: 'exited', status: code ?? 128 + constants.signals[name ?? 'SIGKILL'] }),
    )
  })
  const { pid } = child
  if (end.kind !== 'exited' && pid !== undefined)
    await endFamily({ leader: pid, owner }, { graceMs: LIMITS.shellGraceMs })
  // One that went to the background may hold the output open: what it says from now on belongs to nobody.
  await Promise.race([closed, sleep(LIMITS.shellDrainMs)])
  // A loop that was held up runs its timers first: what was written before the end is read only now.
  await setImmediate()
  stdout.destroy()
  output.end()
  return end
}

/** When no descriptor was left for it, a child has no pipe, whatever its type says. */
function pipeOf({ stdout }: { readonly stdout: Readable | undefined }): Readable {
  return stdout ?? Readable.from([])
}
