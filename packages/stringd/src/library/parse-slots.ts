/** Lets some go ahead at once and some wait; whoever comes when both are full is turned away. */
export class ParseSlots {
  readonly #atOnce: number
  readonly #mayWait: number
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce
    this.#mayWait = mayWait
  }

  /** Resolves to a function that gives the slot back; null when there is no room, or when the signal ends first. */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#taken >= this.#atOnce) {
      if (this.#waiting.size >= this.#mayWait || !(await this.#wait(signal))) return null
    } else this.#taken += 1
    let given = false
    return () => {
      if (given) return
      given = true
      const [next] = this.#waiting
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (mine: boolean): void => {
        this.#waiting.delete(go)
        signal.removeEventListener('abort', stop)
        resolve(mine)
      }
      const go = (): void => settle(true)
      const stop = (): void => settle(false)
      this.#waiting.add(go)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    })
  }
}
