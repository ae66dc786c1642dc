import type { Clock } from '../../src/turns/clock.ts'

/** A clock that stands until the test sets it; whoever waits for that time goes on then. */
export class TestClock implements Clock {
  #now = Date.now()
  readonly #waiting = new Map<() => void, number>()

  readonly now = (): number => this.#now

  readonly wait = (ms: number, run: () => void): (() => void) => {
    const once = (): void => run()
    this.#waiting.set(once, this.#now + ms)
    return () => this.#waiting.delete(once)
  }

  /** How long each of those who wait still has to. */
  get waits(): number[] {
    return [...this.#waiting.values()].map((time) => time - this.#now).toSorted((one, other) => one - other)
  }

  advance(ms: number): void {
    this.#now += ms
    const due = [...this.#waiting].filter(([, time]) => time <= this.#now)
    for (const [run] of due) this.#waiting.delete(run)
    for (const [run] of due) run()
  }
}
