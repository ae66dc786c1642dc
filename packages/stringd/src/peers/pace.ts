/** How much of one processor may be used for a while, and how much of it is saved up by resting. */
export interface PaceLimits {
  readonly percent: number
  readonly savedMs: number
}

/** Keeps work that comes in pieces to a share of one processor. Who rested may do several pieces at once. */
export class Pace {
  readonly #share: number
  readonly #capMs: number
  readonly #now: () => number
  #savedMs: number
  #atMs: number

  constructor({ percent, savedMs }: PaceLimits, now: () => number = () => performance.now()) {
    this.#share = percent / 100
    this.#capMs = savedMs
    this.#savedMs = savedMs
    this.#now = now
    this.#atMs = now()
  }

  /** How long to rest before the next piece; 0 when it may begin. */
  restMs(): number {
    const now = this.#now()
    this.#savedMs = Math.min(this.#capMs, this.#savedMs + (now - this.#atMs) * this.#share)
    this.#atMs = now
    return this.#savedMs > 0 ? 0 : -this.#savedMs / this.#share
  }

  /** However much it was: a machine that slept in between must not be waited for. */
  spend(ms: number): void {
    this.#savedMs = Math.max(-this.#capMs, this.#savedMs - ms)
  }
}
