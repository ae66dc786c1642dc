import { plainCell, styledLine, styledRest } from './styled-lines.ts'

interface Place {
  readonly row: number
  readonly column: number
}

/** What a program shows on the whole screen, and where its cursor is. */
export class ScreenView {
  readonly lines: readonly string[]
  readonly cursor: Place
  readonly #rows: readonly (readonly string[])[]

  readonly #columns: number

  /** The rows become its own; below the cursor, empty ones are left out. */
  constructor(rows: readonly (readonly string[])[], columns: number, cursor: Place) {
    const lines = rows.map((row) => row.map(plainCell).join('').trimEnd())
    const last = Math.max(
      lines.findLastIndex((line) => line !== ''),
      cursor.row,
    )
    this.lines = lines.slice(0, last + 1)
    this.#rows = rows.slice(0, last + 1)
    this.#columns = columns
    this.cursor = cursor
  }

  /** The same lines with their styles, at last the one that goes on to the edge; null where there are none. */
  styled(): readonly string[] | null {
    const lines = this.#rows.map((row) => styledLine(row) + styledRest(row, this.#columns))
    return lines.some((line) => line.includes('\x1b')) ? lines : null
  }
}
