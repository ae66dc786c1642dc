const LF = 10
const CR = 13

export interface LineHandler {
  readonly line: (line: string, wasCut: boolean) => void
  /** Offers several whole lines at once, as they came; false: it wants them one by one. */
  readonly lines: (text: string, isAscii: boolean) => boolean
}

/**
 * Makes lines of bytes as they come. A line ends with LF or CRLF, invalid UTF-8 becomes U+FFFD, and of a line longer
 * than the limit only its beginning is kept, with the remark that it was cut.
 */
export class LineSplitter {
  readonly #limitBytes: number
  readonly #handler: LineHandler
  /** The beginning of a line whose end has not come yet: the first `#length` bytes of it. */
  #pending = Buffer.alloc(0)
  #length = 0
  #wasCut = false

  constructor(limitBytes: number, handler: LineHandler) {
    this.#limitBytes = limitBytes
    this.#handler = handler
  }

  /** How much is kept of what has come so far. */
  get retainedBytes(): number {
    return this.#pending.length
  }

  write(chunk: Buffer): void {
    const last = chunk.lastIndexOf(LF)
    if (last === -1) return this.#keep(chunk)
    let start = 0
    if (this.#length > 0 || this.#wasCut) {
      const first = chunk.indexOf(LF)
      this.#keep(chunk.subarray(0, first))
      this.#endLine()
      start = first + 1
    }
    if (start <= last) this.#wholeLines(chunk.subarray(start, last))
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1))
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.#length > 0 || this.#wasCut) this.#endLine()
  }

  /** A newline is never a part of another character, so that many lines can be decoded at once. */
  #wholeLines(bytes: Buffer): void {
    if (bytes.length > this.#limitBytes) return this.#oneByOne(bytes)
    const text = bytes.toString()
    if (this.#handler.lines(text, text.length === bytes.length)) return
    for (const line of text.split('\n')) this.#handler.line(line.endsWith('\r') ? line.slice(0, -1) : line, false)
  }

  #oneByOne(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      this.#keep(bytes.subarray(start, end))
      this.#endLine()
      start = end + 1
    }
    this.#keep(bytes.subarray(start))
    this.#endLine()
  }

  /** One byte more than the limit is kept: it may be the CR of the line's end. */
  #keep(bytes: Buffer): void {
    const room = this.#limitBytes + 1 - this.#length
    const part = bytes.length > room ? bytes.subarray(0, room) : bytes
    if (bytes.length > room) this.#wasCut = true
    const needed = this.#length + part.length
    if (needed > this.#pending.length) this.#grow(needed)
    part.copy(this.#pending, this.#length)
    this.#length = needed
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, 2 * this.#pending.length), this.#limitBytes + 1))
    this.#pending.copy(larger, 0, 0, this.#length)
    this.#pending = larger
  }

  #endLine(): void {
    const line = this.#pending.subarray(0, this.#length)
    const whole = !this.#wasCut && line.at(-1) === CR ? line.subarray(0, -1) : line
    const wasCut = this.#wasCut || whole.length > this.#limitBytes
    const text = wasCut ? beginning(whole, this.#limitBytes) : whole.toString()
    this.#length = 0
    this.#wasCut = false
    this.#pending = Buffer.alloc(0)
    this.#handler.line(text, wasCut)
  }
}

/** The text of at most so many bytes, without a character that the cut went through. */
export function beginning(bytes: Buffer, limitBytes: number): string {
  let end = Math.min(bytes.length, limitBytes)
  if (end < bytes.length) {
    // A byte that continues a character tells that the cut is inside of it.
    for (let back = 0; back < 3 && end > 0 && isContinuation(bytes[end]); back += 1) end -= 1
  }
  return bytes.toString('utf8', 0, end)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
