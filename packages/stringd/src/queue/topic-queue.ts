import { LIMITS } from '@string-os/protocol'

/** How a job in the queue ended. `left`: its caller went away before it began. `busy`: it would have had to wait. */
export type JobEnd<T> =
  | { readonly kind: 'ran'; readonly value: T }
  | { readonly kind: 'full' | 'busy' | 'timeout' | 'left' | 'cancelled' }

interface Waiter {
  readonly begin: () => void
  readonly end: (how: { readonly kind: 'cancelled' }) => void
}

/** Lets `gone` be called when whoever asked goes away; answers how to stop watching. */
export type WatchCaller = (gone: () => void) => () => void

/** What to do with a job that cannot begin at once. */
export type WhenBusy = 'queue' | 'refuse'

export interface JobOptions {
  readonly whenBusy?: WhenBusy | undefined
  readonly watchCaller?: WatchCaller | undefined
  readonly waitMs?: number
}

/** One job at a time, the rest in the order they came; at most `queueWaiting` of them, each for at most `waitMs`. */
export class TopicQueue {
  #running = false
  readonly #waiting = new Set<Waiter>()

  get running(): boolean {
    return this.#running
  }

  get length(): number {
    return this.#waiting.size
  }

  /** Runs `job` when its turn comes. What `job` throws is thrown here. */
  async run<T>(
    job: () => Promise<T>,
    { whenBusy, watchCaller, waitMs = LIMITS.queueWaitMs }: JobOptions = {},
  ): Promise<JobEnd<T>> {
    if (this.#running) {
      if (whenBusy === 'refuse') return { kind: 'busy' }
      if (this.#waiting.size >= LIMITS.queueWaiting) return { kind: 'full' }
      const missed = await this.#wait(waitMs, watchCaller)
      if (missed !== null) return missed
    }
    this.#running = true
    try {
      return { kind: 'ran', value: await job() }
    } finally {
      this.#next()
    }
  }

  /** Ends everyone who waits, and answers how many that were. The running job is its owner's to stop. */
  cancelWaiting(): number {
    const waiting = [...this.#waiting]
    for (const waiter of waiting) waiter.end({ kind: 'cancelled' })
    return waiting.length
  }

  /** Null when it is this caller's turn. Whoever calls `begin` keeps `#running` set, so nobody slips in between. */
  #wait(waitMs: number, watchCaller?: WatchCaller): Promise<JobEnd<never> | null> {
    return new Promise((resolve) => {
      const settle = (how: JobEnd<never> | null): void => {
        clearTimeout(timer)
        unwatch?.()
        this.#waiting.delete(waiter)
        resolve(how)
      }
      const waiter: Waiter = { begin: () => settle(null), end: settle }
      const timer = setTimeout(() => settle({ kind: 'timeout' }), waitMs)
      this.#waiting.add(waiter)
      const unwatch = watchCaller?.(() => settle({ kind: 'left' }))
    })
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined) this.#running = false
    else first.begin()
  }
}
