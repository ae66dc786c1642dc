import { LIMITS } from '@string-os/protocol'

/** Those who wait until something holds. */
export class Watchers {
  readonly #looks = new Set<() => void>()

  /** Something has happened. */
  notify(): void {
    for (const look of this.#looks) look()
  }

  /**
   * False when the time is up first. `onPoll` is called each time before it is looked without anything having happened; null: that is
   * not needed.
   */
  until(holds: () => boolean, limitMs: number, onPoll: (() => void) | null): Promise<boolean> {
    if (holds()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (result: boolean): void => {
        clearTimeout(timer)
        this.#looks.delete(look)
        resolve(result)
      }
      const look = (): void => {
        if (holds()) finish(true)
      }
      const end = performance.now() + limitMs
      const pollMs = onPoll === null ? limitMs : LIMITS.shellPollMs
      const poll = (): void => {
        const leftMs = end - performance.now()
        if (leftMs <= 0) return finish(holds())
        timer = setTimeout(poll, Math.min(leftMs, pollMs))
        onPoll?.()
        look()
      }
      let timer = setTimeout(poll, Math.min(limitMs, pollMs))
      this.#looks.add(look)
    })
  }
}
