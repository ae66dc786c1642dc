const LINE_END = Buffer.from('\r\n')
const NOTHING = Buffer.alloc(0)

/** A shell that is interrupted begins a line of its own: the last line end before its prompt is that, and no output. */
export class OwnLine {
  #isDue = false
  #held: Buffer = NOTHING

  expect(): void {
    this.#isDue = true
  }

  /** What of it is output for certain; a line end at its end may not be. */
  without(bytes: Buffer): Buffer {
    if (!this.#isDue || bytes.length === 0) return bytes
    const all = Buffer.concat([this.#held, bytes])
    const isEnded = all.subarray(-LINE_END.length).equals(LINE_END)
    this.#held = isEnded ? LINE_END : NOTHING
    return isEnded ? all.subarray(0, -LINE_END.length) : all
  }

  /** It is at its prompt. */
  end(): void {
    this.#isDue = false
    this.#held = NOTHING
  }
}
