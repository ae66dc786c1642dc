import { LIMITS } from '@string-os/protocol'

/** What can be held back: nobody reads it, so whoever prints waits. */
interface Held {
  readonly pause: () => void
  readonly resume: () => void
}

/**
 * A reader for whom a command waits that prints faster than they read, as it would at a pipe: nothing is lost to them. One who
 * does not come back is not waited for.
 */
export class Pacing {
  readonly #held: Held
  /** Up to where they have read; null: there is none. */
  #read: number | null = null
  #patience: NodeJS.Timeout | null = null

  constructor(held: Held) {
    this.#held = held
  }

  /** Somebody has read up to there, and reads on; `printed`: how much there is. */
  readTo(position: number, printed: number): void {
    this.#read = position
    if (printed - position > LIMITS.shellAheadBytes) this.#hold()
    else this.#letGo()
  }

  /** There is as much now. */
  printed(total: number): void {
    if (this.#read !== null && this.#patience === null && total - this.#read > LIMITS.shellAheadBytes) this.#hold()
  }

  /** Nobody is waited for any more, until somebody reads again. */
  end(): void {
    this.#read = null
    this.#letGo()
  }

  #hold(): void {
    clearTimeout(this.#patience ?? undefined)
    this.#held.pause()
    this.#patience = setTimeout(() => this.end(), LIMITS.shellPatienceMs)
    this.#patience.unref()
  }

  #letGo(): void {
    if (this.#patience === null) return
    clearTimeout(this.#patience)
    this.#patience = null
    this.#held.resume()
  }
}
