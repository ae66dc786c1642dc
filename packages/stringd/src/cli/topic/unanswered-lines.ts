/**
 * Lines that were typed to a program which has printed nothing since. What of them it had not read is lost with Ctrl-C: the
 * terminal throws it away.
 */
export class UnansweredLines {
  #lines: string[] = []

  add(line: string): void {
    this.#lines.push(line)
  }

  /** The program has printed something, or has ended by itself: what is left is the shell's. */
  clear(): void {
    this.#lines = []
  }

  /** All of them, as one text; empty where there are none. */
  takeBack(): string {
    const text = this.#lines.join('\n')
    this.#lines = []
    return text
  }
}
