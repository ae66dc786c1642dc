import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { killFamily } from '@string-os/bridge/reap'
import { onLostReader, UNREAD } from '../../lost-reader.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The status of a program that Ctrl-C ended. */
export const INTERRUPTED = 128 + constants.signals.SIGINT
const HUNG_UP = 128 + constants.signals.SIGHUP

/** The reason of an abort by those who only go away: what lives elsewhere goes on without them. Any other one cancels. */
export const LEFT = 'left'

/** What to do when this program is asked to end while an agent runs. */
export interface Interruption {
  /** Its reason is `LEFT`, unless it was Ctrl-C. */
  readonly signal: AbortSignal
  /** It came again. */
  readonly now: AbortSignal
  /** `128 + number` of the signal that came first; null when none came. */
  readonly exitCode: () => number | null
  /** Nobody reads what is printed here any more. */
  readonly isUnread: () => boolean
  /** The terminal is gone, which the system may tell us by a signal or not. */
  readonly hangUp: () => void
  /** Everything is ended and stored. */
  readonly end: () => void
}

/** The first signal cancels; another one does not wait for an agent that takes its time, and ends all of `owner`. */
export function listenForSignals(owner: string): Interruption {
  const abort = new AbortController()
  const again = new AbortController()
  const hasTerminal = isatty(0)
  let exitCode: number | null = null
  const stop = (status: number): void => {
    exitCode ??= status
    abort.abort(status === INTERRUPTED ? undefined : LEFT)
  }
  const listeners = SIGNALS.map((name) => ({
    name,
    listener: () => {
      if (exitCode === null) return stop(128 + constants.signals[name])
      void killFamily({ owner })
      again.abort()
    },
  }))
  for (const { name, listener } of listeners) process.on(name, listener)
  // Nobody waits for the rest of what the agent says.
  const endLostReader = onLostReader(() => stop(UNREAD))
  return {
    signal: abort.signal,
    now: again.signal,
    exitCode: () => exitCode,
    isUnread: () => exitCode === UNREAD,
    hangUp: () => stop(HUNG_UP),
    end: () => {
      for (const { name, listener } of listeners) process.off(name, listener)
      endLostReader()
      // Node resets the terminal when it exits, and aborts where that is gone; a signal ends it before.
      if (exitCode === HUNG_UP && hasTerminal) process.kill(process.pid, 'SIGHUP')
    },
  }
}
