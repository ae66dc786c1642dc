import { LIMITS } from '@string-os/protocol'

/** Those who wait until something holds. */
export class Watchers {
  readonly #looks = new Set<() => void>()

  /** Something has happened. */
  notify(): void {
    for (const look of this.#looks) look()
  }

  /** False when the time is up first. `onPoll` is called each time before it is looked without anything having happened. */
  until(holds: () => boolean, limitMs: number, onPoll: () => void): Promise<boolean> {
    if (holds()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (result: boolean): void => {
        clearTimeout(limit)
        clearInterval(poll)
        this.#looks.delete(look)
        resolve(result)
      }
      const look = (): void => {
        if (holds()) finish(true)
      }
      const limit = setTimeout(() => finish(holds()), limitMs)
      const poll = setInterval(() => {
        onPoll()
        look()
      }, LIMITS.shellPollMs)
      this.#looks.add(look)
    })
  }
}
