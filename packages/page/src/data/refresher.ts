/** The shortest time between two loads; a load that takes long is repeated less often. */
const PAUSE_MS = 150
const PAUSE_TIMES = 3
/** Where changes do not end, nobody reads each of them: the pause grows up to this, and is short again after a quiet one. */
const BUSY_PAUSE_MS = 1_000
const GROWS = 1.5

/** Loads something again when told to: one load at a time, many wishes are one, and a wish during a load is not lost. */
export class Refresher {
  readonly #load: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLoading = false
  #isWanted = false
  #isClosed = false
  #notBefore = 0
  #pause = PAUSE_MS

  constructor(load: () => Promise<void>) {
    this.#load = load
  }

  wish(): void {
    this.#isWanted = true
    if (this.#isLoading || this.#timer !== undefined || this.#isClosed) return
    const wait = this.#notBefore - performance.now()
    this.#pause = wait > 0 ? Math.min(BUSY_PAUSE_MS, this.#pause * GROWS) : PAUSE_MS
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, wait))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#timer = undefined
    this.#isLoading = true
    this.#isWanted = false
    const began = performance.now()
    await this.#load()
    this.#isLoading = false
    const took = performance.now() - began
    this.#notBefore = performance.now() + Math.max(this.#pause, took * PAUSE_TIMES)
    if (this.#isWanted) this.wish()
  }
}
