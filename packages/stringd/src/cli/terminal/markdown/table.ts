import { widthOf } from '../cells.ts'
import { type Line, lineWidth, type StyledText } from '../styled-text.ts'
import { wrap } from './wrap.ts'

export type Align = 'left' | 'center' | 'right'

/** A table as it was read: its first row is its head. */
export interface TextTable {
  readonly rows: readonly (readonly Line[])[]
  readonly aligns: readonly Align[]
}

const LEAST = 3

/** Rows of a table with rules between head and body; cells that are too wide are broken, columns share what there is. */
export function tableLines({ rows, aligns }: TextTable, width: number): readonly Line[] {
  const columns = most(rows.map((row) => row.length))
  if (columns === 0) return []
  const widths = fitted(
    Array.from({ length: columns }, (_, index) => Math.max(1, most(rows.map((row) => lineWidth(row[index] ?? []))))),
    width - 3 * (columns - 1),
  )
  const [head, ...body] = rows.map((row) => rowLines(row, widths, aligns))
  const rule: Line = [{ text: widths.map((each) => '─'.repeat(each)).join('─┼─'), styles: ['dim'] }]
  return [...(head ?? []), rule, ...body.flat()]
}

/** Takes from the widest until everything fits. */
function fitted(wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted]
  let over = widths.reduce((sum, each) => sum + each, 0) - room
  while (over > 0) {
    const widest = most(widths)
    if (widest <= LEAST) break
    const next = Math.max(LEAST, most(widths.filter((each) => each < widest)))
    const many = widths.filter((each) => each === widest).length
    const step = Math.min(widest - next || 1, Math.max(1, Math.floor(over / many)))
    for (const [index, each] of widths.entries()) {
      if (each !== widest || over <= 0) continue
      widths[index] = each - step
      over -= step
    }
  }
  return widths
}

function rowLines(row: readonly Line[], widths: readonly number[], aligns: readonly Align[]): readonly Line[] {
  const cells = widths.map((width, index) => wrap(row[index] ?? [], width))
  const height = most(cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, at) =>
    widths.flatMap((width, index) => {
      const bar: readonly StyledText[] = index === 0 ? [] : [{ text: ' │ ', styles: ['dim'] }]
      return [...bar, ...padded(cells[index]?.[at] ?? [], width, aligns[index] ?? 'left')]
    }),
  )
}

function padded(line: Line, width: number, align: Align): Line {
  const room = Math.max(0, width - line.reduce((sum, { text }) => sum + widthOf(text), 0))
  const before = align === 'left' ? 0 : align === 'right' ? room : Math.floor(room / 2)
  return [{ text: ' '.repeat(before) }, ...line, { text: ' '.repeat(room - before) }]
}

/** Of very many, too. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((largest, each) => Math.max(largest, each), 0)
}
