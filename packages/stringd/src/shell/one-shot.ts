import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Readable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { endFamily } from '@string-os/bridge/reap'
import { LIMITS } from '@string-os/protocol'
import type { Output } from './output/output.ts'

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
const TOGETHER = `${CLOSE_OTHERS}
exec 2>&1
exec /bin/bash -c "$1"`

/** Somebody reads what is printed, in which no warning may stand. */
const APART = `${CLOSE_OTHERS}
exec /bin/bash -c "$1"`

/**
 * Runs a script in a bash of its own, in its own process group; all it started is ended when it takes too long. Without
 * `errors`, standard error is a part of the output.
 */
export async function runOneShot(
  { script, cwd, env, owner, limitMs, signal }: OneShot,
  output: Output,
  errors: Output | null,
): Promise<OneShotEnd> {
  const child = spawn('/bin/bash', ['-c', errors === null ? TOGETHER : APART, 'bash', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', errors === null ? 'ignore' : 'pipe'],
  })
  const pipes = [collect(child.stdout, output), ...(errors === null ? [] : [collect(child.stderr, errors)])]
  const end = await new Promise<OneShotEnd>((resolve) => {
    const stop = (): void => resolve({ kind: 'cancelled' })
    const timer = setTimeout(() => resolve({ kind: 'timeout' }), limitMs)
    const done = (how: OneShotEnd): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(how)
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    child.on('error', (error: NodeJS.ErrnoException) => done({ kind: 'failed', reason: error.code ?? error.message }))
    child.on('exit', (code, name) =>
      done({ kind: 'exited', status: code ?? 128 + constants.signals[name ?? 'SIGKILL'] }),
    )
  })
  const { pid } = child
  if (end.kind !== 'exited' && pid !== undefined)
    await endFamily({ leader: pid, owner }, { graceMs: LIMITS.shellGraceMs })
  // One that went to the background may hold the output open: what it says from now on belongs to nobody.
  await Promise.race([Promise.all(pipes.map(({ closed }) => closed)), sleep(LIMITS.shellDrainMs)])
  // A loop that was held up runs its timers first: what was written before the end is read only now.
  await setImmediate()
  for (const { end: close } of pipes) close()
  return end
}

/** When no descriptor was left for it, a child has no pipe, whatever its type says. */
function collect(
  pipe: Readable | null | undefined,
  output: Output,
): { readonly closed: Promise<void>; readonly end: () => void } {
  const stream = pipe ?? Readable.from([])
  stream.on('data', (chunk: Buffer) => output.add(chunk))
  const closed = new Promise<void>((resolve) => {
    stream.on('close', () => resolve())
  })
  const end = (): void => {
    stream.destroy()
    output.end()
  }
  return { closed, end }
}
