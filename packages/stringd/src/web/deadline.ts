import { type Failure, fail } from '@string-os/protocol'

/** A time limit and a caller's cancellation, as one. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Ends with the promise or, if that comes first, with the time. */
  readonly race: <T>(promise: Promise<T>) => Promise<T>
  /** Why the time is over, or null when it is not. */
  readonly failure: (shown: string) => Failure | null
  readonly stop: () => void
}

export function startDeadline(limitMs: number, cancelled: AbortSignal | undefined): Deadline {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), limitMs)
  const signal = cancelled === undefined ? timeout.signal : AbortSignal.any([timeout.signal, cancelled])
  return {
    signal,
    race: (promise) => race(promise, signal),
    failure: (shown) => {
      if (cancelled?.aborted)
        return fail('CANCELLED', `Cancelled while loading ${shown}`, 'Send it again in a new session')
      return timeout.signal.aborted ? timedOut(shown, limitMs) : null
    },
    stop: () => clearTimeout(timer),
  }
}

function timedOut(shown: string, limitMs: number): Failure {
  return fail('TIMEOUT', `There was no whole answer within ${limitMs / 1000} s: ${shown}`, 'Try again later')
}

function race<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error('The time is over'))
    if (signal.aborted) give()
    signal.addEventListener('abort', give, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}
