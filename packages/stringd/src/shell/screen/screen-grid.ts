import { StringDecoder } from 'node:string_decoder'
import stringWidth from 'string-width'
import { Pen } from './pen.ts'
import { ScreenView } from './screen-view.ts'
import { styledCell } from './styled-lines.ts'

/** How large a terminal is. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

type Row = string[]

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys begins with one
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b([ -/]*)([0-~])|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+/g
/** A sequence whose end has not come yet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]{0,4096}\x1b?|[ -/]*)?$/
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Lines of frames, as terminals know them since the VT100. */
const LINES: Readonly<Record<string, string>> = {
  j: '┘',
  k: '┐',
  l: '┌',
  m: '└',
  n: '┼',
  q: '─',
  t: '├',
  u: '┤',
  v: '┴',
  w: '┬',
  x: '│',
  a: '▒',
  '~': '·',
  '`': '◆',
}

/** A terminal's screen: cells that are written anywhere, of which the last state counts. */
export class ScreenGrid {
  readonly #decoder = new StringDecoder('utf8')
  #size: TerminalSize
  #rows: Row[]
  /** What has moved out at the top since the cursor was home, or the last of all that has. */
  #gone: Row[] = []
  readonly #keeps: number | null
  #scrolled = 0
  /** The highest row to which the cursor was moved. */
  #highest = Number.POSITIVE_INFINITY
  /** The lowest row in which something was replaced. */
  #replaced = -1
  #row = 0
  #column = 0
  #top = 0
  #bottom: number
  #saved = { row: 0, column: 0 }
  #pending = ''
  #last = ' '
  #drawsLines = false
  readonly #pen = new Pen()
  #style = ''

  /** `keeps`: so many rows that have moved out are kept, wherever the cursor goes. */
  constructor(size: TerminalSize, keeps: number | null = null) {
    this.#size = size
    this.#keeps = keeps
    this.#rows = emptyRows(size.rows)
    this.#bottom = size.rows - 1
  }

  resize(size: TerminalSize): void {
    this.#size = size
    this.#rows = Array.from({ length: size.rows }, (_, index) => (this.#rows[index] ?? []).slice(0, size.columns))
    this.#top = 0
    this.#bottom = size.rows - 1
    this.#moveTo(this.#row, this.#column)
  }

  view(): ScreenView {
    const rows = this.#rows.map(filled)
    return new ScreenView(rows, this.#size.columns, { row: this.#row, column: this.#shownColumn })
  }

  get #shownColumn(): number {
    return Math.min(this.#column, this.#size.columns - 1)
  }

  /** What a terminal still has of it when its program is over: whoever leaves below the last row moves the first one out. */
  left(): readonly string[] {
    const gone = new ScreenView(this.#gone, this.#size.columns, { row: 0, column: 0 })
    return [...(this.#gone.length === 0 ? [] : gone.lines), ...this.view().lines]
  }

  /** The row of the cursor, counted from the first that there ever was. */
  get rowNumber(): number {
    return this.#scrolled + this.#row
  }

  /** The first row that can still be drawn over. */
  get firstRow(): number {
    return this.#scrolled
  }

  /** The highest row to which the cursor has been moved since this was asked last. */
  takeHighest(): number {
    const highest = this.#highest
    this.#highest = Number.POSITIVE_INFINITY
    return highest
  }

  /** The lowest row in which what had been printed was replaced, or taken away; -1: there is none. */
  get lastReplaced(): number {
    return this.#replaced
  }

  /** All rows from one on: those that have moved out, and those that are there. Null where it is not kept. */
  viewFrom(row: number): ScreenView | null {
    const first = this.#scrolled - this.#gone.length
    if (row < first) return null
    const rows = [...this.#gone, ...this.#rows.map(filled)].slice(row - first)
    return new ScreenView(rows, this.#size.columns, { row: this.rowNumber - row, column: this.#shownColumn })
  }

  write(bytes: Buffer): void {
    const text = this.#pending + this.#decoder.write(bytes)
    const [unfinished = ''] = UNFINISHED.exec(text) ?? []
    this.#pending = unfinished
    for (const match of text.slice(0, text.length - unfinished.length).matchAll(TOKEN)) {
      const [token, parameters, final, intermediate, escaped] = match
      if (final !== undefined) this.#command(final, parameters ?? '')
      else if (escaped !== undefined) this.#escape(intermediate ?? '', escaped)
      else if (token.charCodeAt(0) < 32 || token === '\x7f') this.#control(token.charCodeAt(0))
      else for (const { segment } of SEGMENTER.segment(token)) this.#put(segment)
    }
  }

  #put(segment: string): void {
    const shown = this.#drawsLines ? (LINES[segment] ?? segment) : segment
    const width = /^[\x20-\x7e]$/.test(shown) ? 1 : stringWidth(shown)
    if (width === 0) return
    if (this.#column + width > this.#size.columns) {
      this.#column = 0
      this.#down()
    }
    const row = this.#current()
    if ((row[this.#column] ?? ' ') !== ' ') this.#replaces()
    row[this.#column] = styledCell(shown, this.#style)
    if (width === 2) row[this.#column + 1] = ''
    this.#column += width
    this.#last = segment
  }

  #control(code: number): void {
    if (code === 13) this.#column = 0
    else if (code === 8) this.#column = Math.max(0, Math.min(this.#column, this.#size.columns - 1) - 1)
    else if (code === 9) this.#column = Math.min(this.#size.columns - 1, (Math.floor(this.#column / 8) + 1) * 8)
    else if (code >= 10 && code <= 12) this.#down()
    else if (code === 14 || code === 15) this.#drawsLines = code === 14
  }

  #escape(intermediate: string, final: string): void {
    if (intermediate === '(') this.#drawsLines = final === '0'
    else if (intermediate !== '') return
    else if (final === 'M') this.#up()
    else if (final === 'D') this.#down()
    else if (final === 'E') {
      this.#column = 0
      this.#down()
    } else if (final === '7') this.#saved = { row: this.#row, column: this.#column }
    else if (final === '8') this.#moveTo(this.#saved.row, this.#saved.column)
  }

  #command(final: string, parameters: string): void {
    if (/^[<=>?]/.test(parameters)) return
    if (final === 'm') return this.#dip(parameters)
    const [first = 0, second = 0] = parameters.split(';').map(Number)
    const { columns, rows } = this.#size
    const amount = Math.min(Math.max(1, first || 1), columns * rows)
    switch (final) {
      case 'A':
        return this.#moveTo(this.#row - amount, this.#column)
      case 'B':
      case 'e':
        return this.#moveTo(this.#row + amount, this.#column)
      case 'C':
      case 'a':
        return this.#moveTo(this.#row, this.#column + amount)
      case 'D':
        return this.#moveTo(this.#row, Math.min(this.#column, columns - 1) - amount)
      case 'E':
        return this.#moveTo(this.#row + amount, 0)
      case 'F':
        return this.#moveTo(this.#row - amount, 0)
      case 'G':
      case '`':
        return this.#moveTo(this.#row, amount - 1)
      case 'd':
        return this.#moveTo(amount - 1, this.#column)
      case 'H':
      case 'f':
        if (amount === 1 && this.#keeps === null) this.#gone = []
        return this.#moveTo(amount - 1, (second || 1) - 1)
      case 's':
        this.#saved = { row: this.#row, column: this.#column }
        return
      case 'u':
        return this.#moveTo(this.#saved.row, this.#saved.column)
      case 'r':
        this.#top = Math.min(amount - 1, rows - 1)
        this.#bottom = Math.max(this.#top, Math.min(second || rows, rows) - 1)
        return this.#moveTo(0, 0)
      default:
        return this.#change(final, first, amount)
    }
  }

  #dip(parameters: string): void {
    this.#pen.take(parameters)
    this.#style = this.#pen.style
  }

  #change(final: string, which: number, amount: number): void {
    const row = this.#current()
    const at = Math.min(this.#column, this.#size.columns - 1)
    const blank = styledCell(' ', this.#pen.background)
    if (final === 'J') this.#eraseScreen(which)
    else if (final === 'K') {
      if (row.length > (which === 0 ? at : 0)) this.#replaces()
      eraseRow(row, which, at, this.#erased())
    } else if (final === 'X') for (let cell = at; cell < Math.min(at + amount, row.length); cell += 1) row[cell] = blank
    else if (final === 'P') row.splice(at, amount)
    else if (final === '@') {
      if (row.length > at) row.splice(at, 0, ...blanks(Math.min(amount, this.#size.columns - at)))
      row.length = Math.min(row.length, this.#size.columns)
    } else if (final === 'b') for (let time = 0; time < amount; time += 1) this.#put(this.#last)
    else if (final === 'S') this.#scroll(this.#top, amount)
    else if (final === 'T') this.#scrollBack(this.#top, amount)
    else if (final === 'M' && this.#isInRegion()) this.#scroll(this.#row, amount)
    else if (final === 'L' && this.#isInRegion()) this.#scrollBack(this.#row, amount)
  }

  #eraseScreen(which: number): void {
    const own = which === 0 ? this.#row + 1 : 0
    const end = which === 1 ? this.#row : this.#size.rows
    for (let row = own; row < end; row += 1) this.#rows[row] = this.#erased()
    if (which < 2) eraseRow(this.#current(), which, this.#column, this.#erased())
  }

  /** What erasing a row leaves: nothing, or the colour behind it. */
  #erased(): Row {
    const blank = styledCell(' ', this.#pen.background)
    return blank === ' ' ? [] : Array.from({ length: this.#size.columns }, () => blank)
  }

  #replaces(): void {
    this.#replaced = Math.max(this.#replaced, this.rowNumber)
  }

  #down(): void {
    if (this.#row === this.#bottom) {
      if (this.#top === 0) this.#moveOut(filled(this.#rows[0] ?? []))
      this.#scroll(this.#top, 1)
    } else this.#row = Math.min(this.#size.rows - 1, this.#row + 1)
  }

  #moveOut(row: Row): void {
    this.#scrolled += 1
    this.#gone.push(row)
    if (this.#gone.length > (this.#keeps ?? this.#size.rows)) this.#gone.shift()
  }

  #up(): void {
    if (this.#row === this.#top) this.#scrollBack(this.#top, 1)
    else this.#row = Math.max(0, this.#row - 1)
    this.#highest = Math.min(this.#highest, this.rowNumber)
  }

  /** Rows from one on move up; below, empty ones come. */
  #scroll(from: number, amount: number): void {
    const count = Math.min(amount, this.#bottom - from + 1)
    this.#rows.splice(from, count)
    this.#rows.splice(this.#bottom - count + 1, 0, ...emptyRows(count))
  }

  #scrollBack(from: number, amount: number): void {
    const count = Math.min(amount, this.#bottom - from + 1)
    this.#rows.splice(this.#bottom - count + 1, count)
    this.#rows.splice(from, 0, ...emptyRows(count))
  }

  #isInRegion(): boolean {
    return this.#row >= this.#top && this.#row <= this.#bottom
  }

  #moveTo(row: number, column: number): void {
    this.#row = Math.max(0, Math.min(row, this.#size.rows - 1))
    this.#column = Math.max(0, Math.min(column, this.#size.columns - 1))
    this.#highest = Math.min(this.#highest, this.rowNumber)
  }

  #current(): Row {
    const row = this.#rows[this.#row] ?? []
    this.#rows[this.#row] = row
    return row
  }
}

function filled(row: Row): Row {
  return Array.from(row, (cell) => cell ?? ' ')
}

function emptyRows(count: number): Row[] {
  return Array.from({ length: count }, () => [])
}

function blanks(count: number): string[] {
  return Array.from({ length: count }, () => ' ')
}

function eraseRow(row: Row, which: number, at: number, left: Row): void {
  if (which === 1) for (let cell = 0; cell <= Math.min(at, row.length - 1); cell += 1) row[cell] = left[cell] ?? ' '
  else {
    const from = which === 2 ? 0 : at
    row.length = Math.min(row.length, from)
    for (let cell = from; cell < left.length; cell += 1) row[cell] = left[cell] ?? ' '
  }
}
