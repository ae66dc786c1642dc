// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it obeys
const PIECE = /\x1b\[([\d;?]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x1f]|[^\x00-\x1f]+/g
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const PLAIN = {}

/** A terminal's screen: what was written to it, as rows of cells with their styles. No scene has wide characters. */
export class Screen {
  rows = [[]]
  row = 0
  column = 0
  #style = PLAIN

  constructor(columns) {
    this.columns = columns
  }

  write(text) {
    for (const [piece, parameters = '', final] of text.matchAll(PIECE)) {
      if (final !== undefined) this.#command(final, parameters)
      else if (piece === '\r') this.column = 0
      else if (piece === '\n') this.#down()
      else if (piece === '\b') this.column = Math.max(0, this.column - 1)
      else if (piece >= ' ') for (const { segment } of SEGMENTER.segment(piece)) this.#put(segment)
    }
  }

  #put(segment) {
    if (this.column >= this.columns) {
      this.#down()
      this.column = 0
    }
    const line = this.#line()
    while (line.length < this.column) line.push({ text: ' ', style: PLAIN })
    line[this.column] = { text: segment, style: this.#style }
    this.column += 1
  }

  #command(final, parameters) {
    const amount = Math.max(1, Number.parseInt(parameters, 10) || 1)
    if (final === 'm') for (const code of parameters.split(';')) this.#restyle(Number(code))
    else if (final === 'A') this.row = Math.max(0, this.row - amount)
    else if (final === 'B') this.row = Math.min(this.rows.length - 1, this.row + amount)
    else if (final === 'C') this.column = Math.min(this.columns - 1, this.column + amount)
    else if (final === 'G') this.column = amount - 1
    else if (final === 'K') this.#line().length = Math.min(this.#line().length, this.column)
    else if (final === 'J' && parameters === '') {
      this.#line().length = Math.min(this.#line().length, this.column)
      this.rows.length = this.row + 1
    } else if (final === 'J' || final === 'H') {
      this.rows = [[]]
      this.row = 0
      this.column = 0
    }
  }

  #restyle(code) {
    const { bold, dim, italic, underline, inverse, strike, color } = this.#style
    const style = { bold, dim, italic, underline, inverse, strike, color }
    if (code === 0) this.#style = PLAIN
    else if (code === 1) this.#style = { ...style, bold: true }
    else if (code === 2) this.#style = { ...style, dim: true }
    else if (code === 3) this.#style = { ...style, italic: true }
    else if (code === 4) this.#style = { ...style, underline: true }
    else if (code === 7) this.#style = { ...style, inverse: true }
    else if (code === 9) this.#style = { ...style, strike: true }
    else if (code === 22) this.#style = { ...style, bold: false, dim: false }
    else if (code === 23) this.#style = { ...style, italic: false }
    else if (code === 24) this.#style = { ...style, underline: false }
    else if (code === 27) this.#style = { ...style, inverse: false }
    else if (code === 29) this.#style = { ...style, strike: false }
    else if (code === 39) this.#style = { ...style, color: undefined }
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) this.#style = { ...style, color: code }
  }

  #down() {
    this.row += 1
    this.#line()
  }

  #line() {
    while (this.rows.length <= this.row) this.rows.push([])
    return this.rows[this.row]
  }
}
