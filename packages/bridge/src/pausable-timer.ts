/** Longer waits overflow a timer, which would then fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** A time that is up once so much of it has passed, pauses not counted. */
export class PausableTimer {
  readonly #fire: () => void
  #leftMs: number
  #pauses = 0
  #since = performance.now()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number, fire: () => void) {
    this.#fire = fire
    this.#leftMs = ms
    this.#start()
  }

  get leftMs(): number {
    return this.#pauses > 0 ? this.#leftMs : Math.max(0, this.#leftMs - (performance.now() - this.#since))
  }

  /** From now on no time passes, until the function that is answered is called. */
  pause(): () => void {
    this.#leftMs = this.leftMs
    this.#pauses += 1
    clearTimeout(this.#timer)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#pauses -= 1
      if (this.#pauses === 0) this.#start()
    }
  }

  /** It is never up any more. */
  end(): void {
    this.#pauses = Number.POSITIVE_INFINITY
    clearTimeout(this.#timer)
  }

  #start(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#fire, Math.min(this.#leftMs, LONGEST_MS))
  }
}
