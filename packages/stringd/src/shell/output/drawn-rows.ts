import { LIMITS } from '@string-os/protocol'
import { ScreenGrid, type TerminalSize } from '../screen/screen-grid.ts'
import type { ScreenView } from '../screen/screen-view.ts'
import type { Printed } from './printed.ts'

/** What a program has printed as the rows of a terminal, for whoever shows it on one. */
export interface DrawnPart {
  /** From where its reader is, or from the first row that was drawn over. */
  readonly view: ScreenView
  /** How many of its first rows the reader has had, as they were then. */
  readonly shown: number
  /** How many of its last rows may still change. */
  readonly open: number
  /** The program has gone up and drawn over what it had printed. */
  readonly isOver: boolean
  /** Before the rows that may change, before the cursor's, and behind all. */
  readonly place: string
  readonly line: string
  readonly end: string
}

/** What moves the cursor up, or back in its line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys begins with one
const BACK = /\x1b(?:\[\d*[ADFG]|M)|\r[^\r\n]|[\b]/
const BACK_BYTES = 8

/**
 * The rows of what one command has printed since it began, or since a line was typed to it. They are drawn when somebody asks, from
 * what is kept: what nobody looks at costs nothing.
 */
export class DrawnRows {
  readonly #printed: Printed
  readonly #size: TerminalSize
  readonly #began: number
  #looked: number
  #rows: Rows | null = null

  constructor(printed: Printed, size: TerminalSize, began = printed.total) {
    this.#printed = printed
    this.#size = size
    this.#began = began
    this.#looked = began
  }

  resized(size: TerminalSize): DrawnRows {
    return new DrawnRows(this.#printed, size, this.#began)
  }

  /** For a reader at a place; null where what is there is not kept, or none of it was drawn over and only that is wanted. */
  part(seen: string, wanted: 'over' | 'all', isRunning: boolean): DrawnPart | null {
    const rows = this.#drawn(wanted === 'all')
    const position = this.#printed.positionOf(seen)
    if (rows === null || (wanted === 'over' && !rows.isDrawnOver(position))) return null
    return rows.part(position, isRunning, (at) => this.#printed.placeOf(at))
  }

  #drawn(isAll: boolean): Rows | null {
    if (this.#rows === null && !isAll && !this.#goesBack()) return null
    const { bytes, from } = this.#printed.since(this.#rows?.end ?? this.#began)
    // What came between is not kept any more: it begins anew.
    if (this.#rows === null || from > this.#rows.end) this.#rows = new Rows(this.#size, from)
    this.#rows.write(bytes)
    return this.#rows
  }

  #goesBack(): boolean {
    const { bytes } = this.#printed.since(Math.max(this.#began, this.#looked - BACK_BYTES))
    this.#looked = this.#printed.total
    return BACK.test(bytes.toString('latin1'))
  }
}

class Rows {
  readonly #grid: ScreenGrid
  /** Where each row begins in what was printed, from the first one on of which that is known. */
  #starts: number[]
  #before = 0
  /** The highest one that was drawn over. */
  #top = Number.POSITIVE_INFINITY
  end: number

  constructor(size: TerminalSize, from: number) {
    this.#grid = new ScreenGrid(size, LIMITS.drawnRows)
    this.#starts = [from]
    this.end = from
  }

  get #isOver(): boolean {
    return this.#top < Number.POSITIVE_INFINITY
  }

  /** Rows above the cursor's, or one that a reader has not seen as it is. */
  isDrawnOver(seen: number): boolean {
    if (this.#isOver) return true
    const reader = this.#rowAt(seen)
    return reader !== null && this.#grid.lastReplaced >= reader.row
  }

  write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(10, at)
      const next = end === -1 ? bytes.length : end + 1
      this.#draw(bytes.subarray(at, next), end !== -1)
      at = next
    }
    const surplus = this.#starts.length - LIMITS.drawnRows
    if (surplus <= 0) return
    this.#starts = this.#starts.slice(surplus)
    this.#before += surplus
  }

  #draw(line: Buffer, isEnded: boolean): void {
    this.#grid.write(line)
    const highest = this.#grid.takeHighest()
    if (highest < this.#rows - 1) this.#top = Math.min(this.#top, highest)
    const began = this.end
    this.end += line.length
    const cursor = this.#grid.rowNumber
    // Of a line that is broken, all rows begin where it does.
    while (this.#rows <= cursor) this.#starts.push(isEnded && this.#rows === cursor ? this.end : began)
  }

  get #rows(): number {
    return this.#before + this.#starts.length
  }

  part(seen: number, isRunning: boolean, placeOf: (position: number) => string): DrawnPart | null {
    const reader = this.#rowAt(seen)
    if (reader === null) return null
    const cursor = this.#grid.rowNumber
    const top = Math.max(Math.min(this.#top, cursor), this.#grid.firstRow)
    const from = Math.min(reader.row, top)
    const view = this.#grid.viewFrom(from)
    if (view === null) return null
    return {
      view,
      shown: reader.row - from + (reader.isWithin ? 1 : 0),
      open: isRunning ? Math.max(0, view.lines.length - (top - from)) : 0,
      isOver: this.#isOver,
      place: placeOf(isRunning ? this.#startOf(top) : this.end),
      line: placeOf(this.#startOf(cursor)),
      end: placeOf(this.end),
    }
  }

  #startOf(row: number): number {
    return this.#starts[row - this.#before] ?? this.end
  }

  /** The row that begins there, or the one that holds it; null where it is not known any more. */
  #rowAt(position: number): { readonly row: number; readonly isWithin: boolean } | null {
    if (position < (this.#starts[0] ?? 0)) return null
    const row = this.#starts.findLastIndex((start) => start <= position)
    const first = this.#starts.indexOf(this.#starts[row] ?? 0)
    return { row: this.#before + first, isWithin: this.#starts[first] !== position }
  }
}
