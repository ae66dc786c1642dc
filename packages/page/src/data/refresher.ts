/** The shortest time between two loads; a load that takes long is repeated less often. */
const PAUSE_MS = 150
const PAUSE_TIMES = 3

/** Loads something again when told to: one load at a time, many wishes are one, and a wish during a load is not lost. */
export class Refresher {
  readonly #load: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLoading = false
  #isWanted = false
  #isClosed = false
  #notBefore = 0

  constructor(load: () => Promise<void>) {
    this.#load = load
  }

  wish(): void {
    this.#isWanted = true
    if (this.#isLoading || this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, this.#notBefore - performance.now()))
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
    this.#notBefore = performance.now() + Math.max(PAUSE_MS, took * PAUSE_TIMES)
    if (this.#isWanted) this.wish()
  }
}
