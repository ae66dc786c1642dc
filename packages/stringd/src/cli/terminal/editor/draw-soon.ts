/** Terminals that show others tell of sizes that follow each other at most so often: tmux waits 250 ms. */
const SETTLED_MS = 300

/**
 * Of keys that come together the first is drawn, and then all of them. While the window changes the width that is known may not
 * be the one it has, and what is drawn for that leaves rows behind: keys are drawn when it is told, or does not change any more.
 */
export class DrawSoon {
  readonly #draw: () => void
  #timer: NodeJS.Timeout | null = null
  #isWaiting = false
  #settledAt = 0

  constructor(draw: () => void) {
    this.#draw = draw
  }

  soon(): void {
    const waitMs = Math.max(0, this.#settledAt - performance.now())
    if (this.#timer !== null || waitMs > 0) this.#isWaiting = true
    else this.#draw()
    this.#timer ??= setTimeout(() => this.#over(), waitMs)
  }

  /** The width that is known is the one of now. */
  resized(): void {
    this.#settledAt = performance.now() + SETTLED_MS
    this.stop()
    this.#draw()
  }

  /** What waits is drawn before something else is written. */
  flush(): void {
    if (this.#isWaiting) this.#over()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#isWaiting = false
  }

  #over(): void {
    const isWaiting = this.#isWaiting
    this.stop()
    if (isWaiting) this.#draw()
  }
}
