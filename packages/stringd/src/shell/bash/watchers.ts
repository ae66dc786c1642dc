import { LIMITS } from '@string-os/protocol'

/** Somebody who waits until something holds. */
interface Watcher {
  readonly holds: () => boolean
  /** When the time is up. */
  readonly end: number
  /** Called each time before it is looked without anything having happened; null: that is not needed. */
  readonly onPoll: (() => void) | null
  readonly resolve: (held: boolean) => void
}

/**
 * Those who wait until something holds. They share one timer, which is armed while somebody waits and not taken back when they are
 * answered: a command is over long before it fires, and the next one finds it armed.
 */
export class Watchers {
  readonly #watchers = new Set<Watcher>()
  #timer: NodeJS.Timeout | null = null
  #due = Number.POSITIVE_INFINITY

  /** Something has happened. */
  notify(): void {
    for (const watcher of this.#watchers) if (watcher.holds()) this.#answer(watcher, true)
  }

  /** False when the time is up first. */
  until(holds: () => boolean, limitMs: number, onPoll: (() => void) | null): Promise<boolean> {
    if (holds()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const now = performance.now()
      const watcher = { holds, end: now + limitMs, onPoll, resolve }
      this.#watchers.add(watcher)
      this.#arm(now)
    })
  }

  #answer(watcher: Watcher, held: boolean): void {
    this.#watchers.delete(watcher)
    watcher.resolve(held)
  }

  #look(): void {
    this.#timer = null
    this.#due = Number.POSITIVE_INFINITY
    for (const watcher of this.#watchers) {
      const isOver = performance.now() >= watcher.end
      if (!isOver) watcher.onPoll?.()
      if (watcher.holds()) this.#answer(watcher, true)
      else if (isOver) this.#answer(watcher, false)
    }
    this.#arm(performance.now())
  }

  /** Nobody is looked for later than their end, nor than they want to be polled. */
  #arm(now: number): void {
    for (const { end, onPoll } of this.#watchers) {
      const due = onPoll === null ? end : Math.min(end, now + LIMITS.shellPollMs)
      if (due >= this.#due) continue
      clearTimeout(this.#timer ?? undefined)
      this.#due = due
      this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(due - now))).unref()
    }
  }
}
