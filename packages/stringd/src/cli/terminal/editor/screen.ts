import { fitLine, type Line, lineWidth, type Paint, paint } from '../styled-text.ts'
import type { Frame } from './layout.ts'

/** Where text is written, and how large that is. */
export interface TerminalOutput {
  readonly columns: number
  readonly rows: number
  write(text: string): unknown
}

/** Draws frames over each other, at the place where the first one began. */
export class Screen {
  readonly #output: TerminalOutput
  readonly #paint: Paint
  #shown: Frame | null = null
  /** The rows as they were written. */
  #painted: readonly string[] = []
  #columns = 0
  #height = 0

  constructor(output: TerminalOutput, style: Paint) {
    this.#output = output
    this.#paint = style
  }

  get width(): number {
    return this.#output.columns || 80
  }

  get height(): number {
    return this.#output.rows || 24
  }

  /** Whatever is drawn, no row of it is wider than the window, and there are no more than that has: else it could not be drawn over. */
  draw(frame: Frame): void {
    this.#draw(inWindow(frame, this.width, this.height))
  }

  #draw(frame: Frame): void {
    const { rows, cursor } = frame
    // How many rows a terminal made of the old ones when its width changed, only that terminal knows.
    if (this.#shown !== null && this.width !== this.#columns) {
      this.#output.write(`${this.#home()}\r\x1b[J`)
      this.#shown = null
    }
    // What stands there already is not written again: it would flicker.
    const before = this.#shown !== null && this.height === this.#height ? this.#painted : []
    const painted = rows.map((row) => paint(row, this.#paint))
    const lines = rows.map((row, index) =>
      painted[index] === before[index] ? '' : this.#written(row, painted[index] ?? ''),
    )
    const left = (this.#shown?.rows.length ?? 0) - rows.length
    const gone = Array.from({ length: Math.max(0, left) }, () => '\r\x1b[K')
    const all = [...lines, ...gone]
    const up = all.length - 1 - cursor.row
    const place = `${up > 0 ? `\x1b[${up}A` : ''}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ''}`
    this.#output.write(`${this.#home()}${all.join('\r\n')}${place}`)
    this.#shown = frame
    this.#painted = painted
    this.#columns = this.width
    this.#height = this.height
  }

  /** Over what stood there; the rest of that is taken away behind it, where a terminal would not take the last column along. */
  #written(row: Line, painted: string): string {
    return lineWidth(row) < this.width ? `\r${painted}\x1b[K` : `\r\x1b[K${painted}`
  }

  /** The last frame stays where it is; what comes next begins below it. */
  leave(frame: Frame): void {
    // What stays is written as a whole, whatever became of it meanwhile.
    this.#painted = []
    this.#draw(frame)
    const down = frame.rows.length - 1 - frame.cursor.row
    this.#output.write(`${down > 0 ? `\x1b[${down}B` : ''}\r\n`)
    this.#shown = null
  }

  /** Takes everything away that was drawn. */
  erase(): void {
    if (this.#shown === null) return
    this.draw({ rows: [[]], cursor: { row: 0, column: 0 } })
    this.#shown = null
  }

  clear(): void {
    this.#output.write('\x1b[H\x1b[2J')
    this.#shown = null
  }

  /** Somebody else has written over it. */
  forget(): void {
    this.#shown = null
  }

  /** From the cursor to the first row. A terminal that became narrower has broken rows that were wider. */
  #home(): string {
    if (this.#shown === null) return ''
    const { rows, cursor } = this.#shown
    if (this.width >= this.#columns) return cursor.row > 0 ? `\x1b[${cursor.row}A` : ''
    const above = rows
      .slice(0, cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(lineWidth(row) / this.width)), 0)
    const up = above + Math.floor(cursor.column / this.width)
    return up > 0 ? `\x1b[${up}A` : ''
  }
}

/** Of rows for which there is no room, those around the cursor are there. */
function inWindow({ rows, cursor }: Frame, width: number, height: number): Frame {
  const top = Math.max(0, Math.min(cursor.row, rows.length - height))
  const seen = rows.slice(top, top + height).map((row) => fitLine(row, width))
  return { rows: seen, cursor: { row: cursor.row - top, column: Math.min(cursor.column, width - 1) } }
}
