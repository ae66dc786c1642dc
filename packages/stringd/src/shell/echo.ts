/** So much of a line tells it from what a program prints; a terminal shows at least that in one piece. */
const SURE_CHARS = 12

/**
 * The line that was typed, where the terminal shows it: a program may have told it to (`stty echo`). It comes first then, because the
 * shell was still.
 */
export class Echo {
  #due: string
  #sure = SURE_CHARS

  constructor(line: string) {
    this.#due = line.replace('\n', '\r\n')
  }

  /** What was printed, without that. */
  without(bytes: Buffer): Buffer {
    const due = this.#due.slice(0, bytes.length)
    const isEcho = due.length >= this.#sure && bytes.toString('latin1', 0, due.length) === due
    this.#due = isEcho ? this.#due.slice(due.length) : ''
    this.#sure = 0
    return isEcho ? bytes.subarray(due.length) : bytes
  }

  /** Nothing of it is held. */
  rest(): Buffer {
    return NOTHING
  }
}

const NOTHING: Buffer = Buffer.alloc(0)
