import stringWidth from 'string-width'

type Cells = string[]

/** What stands right of a wide character. */
const TAIL = ''
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it obeys
const PIECE = /\x1b\[([\d;?]*)([A-Za-z])|\x1b\][^\x1b]*\x1b\\|[\x00-\x1f]|[^\x00-\x1f]+/g
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A terminal with a width: it wraps, scrolls, obeys what editors use, and breaks rows anew when it becomes narrower. */
export class VirtualTerminal {
  columns: number
  rows: number
  #lines: Cells[] = [[]]
  #row = 0
  #column = 0

  constructor(columns = 40, rows = 12) {
    this.columns = columns
    this.rows = rows
  }

  write(text: string): void {
    for (const [piece, parameters, final] of text.matchAll(PIECE)) {
      if (final !== undefined) this.#command(final, parameters ?? '')
      else if (piece === '\r') this.#column = 0
      else if (piece === '\n') {
        // The system's side of a terminal adds the carriage return.
        this.#down()
        this.#column = 0
      } else if (piece >= ' ') for (const { segment } of SEGMENTER.segment(piece)) this.#put(segment)
      else if (!piece.startsWith('\x1b]')) throw new Error(`A terminal would obey ${JSON.stringify(piece)}`)
    }
  }

  /** Every line since it began, as text. */
  text(): string {
    return this.#lines
      .map((line) =>
        Array.from(line, (cell) => cell ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd()
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column }
  }

  resize(columns: number): void {
    const lines: Cells[] = []
    let row = 0
    for (const [index, line] of this.#lines.entries()) {
      if (index === this.#row) row = lines.length + Math.floor(this.#column / columns)
      for (let at = 0; at === 0 || at < line.length; at += columns) lines.push(line.slice(at, at + columns))
    }
    this.#lines = lines
    this.#row = row
    this.#column %= columns
    this.columns = columns
  }

  #put(segment: string): void {
    const width = stringWidth(segment)
    if (this.#column + width > this.columns) {
      this.#down()
      this.#column = 0
    }
    const line = this.#line()
    while (line.length < this.#column) line.push(' ')
    line[this.#column] = segment
    if (width === 2) line[this.#column + 1] = TAIL
    this.#column += width
  }

  #command(final: string, parameters: string): void {
    const amount = Math.max(1, Number.parseInt(parameters, 10) || 1)
    if (final === 'A') this.#row = Math.max(0, this.#row - amount)
    else if (final === 'B') this.#row = Math.min(this.#lines.length - 1, this.#row + amount)
    else if (final === 'C') this.#column = Math.min(this.columns - 1, this.#column + amount)
    else if (final === 'K') this.#line().length = Math.min(this.#line().length, this.#column)
    else if (final === 'J' && parameters === '') {
      this.#line().length = Math.min(this.#line().length, this.#column)
      this.#lines.length = this.#row + 1
    } else if (final === 'J' || final === 'H') {
      this.#lines = [[]]
      this.#row = 0
      this.#column = 0
    } else if (final !== 'm' && final !== 'h' && final !== 'l') throw new Error(`Not known: ${final}`)
  }

  #down(): void {
    this.#row += 1
    this.#line()
  }

  #line(): Cells {
    while (this.#lines.length <= this.#row) this.#lines.push([])
    return this.#lines[this.#row] ?? []
  }
}
