import { columnsOf, fitColumns } from './columns.ts'

/** A column of a table; the last one takes the room that is left. */
export interface Column {
  readonly title: string
  /** The widest that it gets. */
  readonly most: number
  /** How wide it is where rows follow that are not known yet; `most` when nothing is said. */
  readonly usual?: number
  /** Numbers stand at the right. */
  readonly isNumber?: true
  /** Where there is no room, the column with the greatest goes first; those without one stay. */
  readonly drop?: number
}

export interface LaidTable {
  readonly head: string
  readonly line: (cells: readonly string[]) => string
}

const GAP = '  '
const NOTHING = '-'
/** The last column has at least this much, as long as there is another to leave out. */
const LAST_COLUMNS = 20
/** A name of which less is left tells nothing. */
const LEAST_COLUMNS = 8

/**
 * Lays out a table for rows that are known. `width` is that of the terminal; null: nobody is in want of room, so nothing is cut.
 * With `isOpen` other rows will follow, for which every column is at least as wide as usual,
 * and as it ever gets where room does not matter.
 */
export function layTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, isOpen = false }: { readonly width: number | null; readonly isOpen?: boolean },
): LaidTable {
  const widths = columns.map(({ title, most, usual = most }, at) => {
    const longest = rows.reduce((found, cells) => Math.max(found, columnsOf(cells[at] ?? '')), columnsOf(title))
    const wanted = isOpen ? Math.max(longest, width === null ? most : usual) : longest
    return width === null ? wanted : Math.min(most, wanted)
  })
  const fit = width === null ? widths : fitting(columns, widths, width)
  // Nothing is said by a sign, so that programs that count words find every column.
  const cellText = (cell: string, at: number): string =>
    width === null ? cell || NOTHING : fitColumns(cell || NOTHING, fit[at] ?? 0)
  const line = (cells: readonly string[]): string => {
    const shown = columns.flatMap((column, at) =>
      (fit[at] ?? 0) > 0 && at < columns.length - 1
        ? [padded(cellText(cells[at] ?? '', at), fit[at] ?? 0, column)]
        : [],
    )
    const used = shown.reduce((sum, cell) => sum + columnsOf(cell) + GAP.length, 0)
    const at = columns.length - 1
    const last =
      columns[at]?.isNumber === true ? padded(cells[at] ?? '', widths[at] ?? 0, columns[at]) : (cells[at] ?? '')
    return [...shown, width === null ? last : fitColumns(last, width - used)].join(GAP).trimEnd()
  }
  return { head: line(columns.map(({ title }) => title)), line }
}

/**
 * How wide each column is; 0: there is no room for it. The most important ones choose first; a name gives way before its
 * column does, and what is left is offered to the others.
 */
function fitting(columns: readonly Column[], widths: readonly number[], width: number): number[] {
  const fit = widths.map(() => 0)
  let room = width - Math.min(LAST_COLUMNS, widths.at(-1) ?? 0)
  const order = columns.slice(0, -1).map(({ drop = 0, isNumber }, at) => ({ drop, at, isNumber }))
  for (const { drop, at, isNumber } of order.sort((one, other) => one.drop - other.drop)) {
    const wanted = widths[at] ?? 0
    const least = isNumber === true ? wanted : Math.min(wanted, LEAST_COLUMNS)
    const given = drop === 0 ? wanted : Math.min(wanted, room - GAP.length)
    if (drop > 0 && given < least) continue
    fit[at] = given
    room -= given + GAP.length
  }
  return fit
}

function padded(cell: string, width: number, { isNumber }: Column): string {
  const blanks = ' '.repeat(Math.max(0, width - columnsOf(cell)))
  return isNumber === true ? blanks + cell : cell + blanks
}
