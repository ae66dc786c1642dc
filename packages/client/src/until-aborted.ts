import type { UnreachableError } from './errors.ts'

/** How long finding out who listens may take: a daemon that is busy has answered by then. */
const LOOK_LIMIT_MS = 10_000

/** What takes no longer is not asked about. */
const SOON_MS = 1_000

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

/** Waits for an answer as long as `probe`, which asks from time to time, finds somebody there who may give it; else that is what is thrown. */
export async function whileAlive<T>(
  signal: AbortSignal | undefined,
  probe: () => Promise<unknown>,
  ask: (watched: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const over = new AbortController()
  const watch = (afterMs: number): void => {
    if (over.signal.aborted) return
    const look = (): unknown =>
      probe().then(
        () => watch(LOOK_LIMIT_MS),
        (reason: unknown) => lost.abort(reason),
      )
    const timer = setTimeout(look, afterMs)
    over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  watch(SOON_MS)
  try {
    return await ask(signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]))
  } catch (error) {
    if (signal?.aborted !== true) lost.signal.throwIfAborted()
    throw error
  } finally {
    over.abort()
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
