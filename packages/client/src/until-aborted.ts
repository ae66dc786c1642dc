import type { UnreachableError } from './errors.ts'

/** How long finding out who listens may take: a daemon that is busy has answered by then. */
const LOOK_LIMIT_MS = 10_000

/** Waits for what others may wait for, too: where this caller has enough, it goes on without them. */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  let leave = (): void => undefined
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave)
  })
  try {
    return await Promise.race([work(), left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Asks who is there: one who takes the connection and says nothing is `silent`. */
export async function whileAnswered<T>(
  silent: () => UnreachableError,
  ask: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(silent()), LOOK_LIMIT_MS)
  try {
    return await ask(limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
