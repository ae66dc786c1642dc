/** The time, and waiting for it. */
export interface Clock {
  readonly now: () => number
  /** Runs something later; answers how to prevent it. */
  readonly wait: (ms: number, run: () => void) => () => void
}

/** Longer waits overflow a timer, which would then fire at once: whoever waits looks again. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** That of the machine. What waits does not keep the process alive. */
export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  wait: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(0, ms), LONGEST_WAIT_MS)).unref()
    return () => clearTimeout(timer)
  },
}
