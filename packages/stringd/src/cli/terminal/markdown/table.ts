import { widthOf } from '../cells.ts'
import { type Line, lineWidth, type StyledText } from '../styled-text.ts'
import { widestWord, wrap } from './wrap.ts'

export type Align = 'left' | 'center' | 'right'

/** A table as it was read: its first row is its head. */
export interface TextTable {
  readonly rows: readonly (readonly Line[])[]
  readonly aligns: readonly Align[]
}

const LEAST = 3
/** Cells of which less is left can hardly be read. */
const LEAST_READABLE = 12
const INDENT = 2

/**
 * Rows of a table with rules between head and body; columns share what there is, and cells that are too wide are broken between words.
 * Where that leaves too little for one, each row stands by itself.
 */
export function tableLines({ rows, aligns }: TextTable, width: number): readonly Line[] {
  const columns = most(rows.map((row) => row.length))
  if (columns === 0) return []
  const cells = Array.from({ length: columns }, (_, index) => rows.map((row) => row[index] ?? []))
  const wanted = cells.map((column) => Math.max(1, most(column.map(lineWidth))))
  const widths = fitted(wanted, width - 3 * (columns - 1))
  const isNarrow = (room: number, index: number): boolean =>
    room < Math.min(wanted[index] ?? 0, LEAST_READABLE) || room < most((cells[index] ?? []).map(widestWord))
  if (columns > 1 && rows.length > 1 && widths.some(isNarrow)) return recordLines(rows, width)
  const [head, ...body] = rows.map((row) => rowLines(row, widths, aligns))
  const rule: Line = [{ text: widths.map((each) => '─'.repeat(each)).join('─┼─'), styles: ['dim'] }]
  return [...(head ?? []), rule, ...body.flat()]
}

/** Each row with its first cell as a heading, and behind each other one what its column is called. */
function recordLines([head = [], ...body]: TextTable['rows'], width: number): readonly Line[] {
  return body.flatMap(([first = [], ...others], at) => [
    ...(at === 0 ? [] : [[]]),
    ...(first.length === 0 ? [] : wrap(first.map(bold), width)),
    ...others.flatMap((cell, index) => fieldLines(head[index + 1] ?? [], cell, width)),
  ])
}

function fieldLines(name: Line, cell: Line, width: number): readonly Line[] {
  if (cell.length === 0) return []
  const named = name.length === 0 ? cell : [...name.map(plain), { text: ': ' }, ...cell]
  const lines = wrap(named, Math.max(1, width - 2 * INDENT))
  return lines.map((line, at) => [{ text: ' '.repeat(at === 0 ? INDENT : 2 * INDENT) }, ...line])
}

function bold(span: StyledText): StyledText {
  return { ...span, styles: [...(span.styles ?? []).filter((style) => style !== 'bold'), 'bold'] }
}

/** Within a row the heading alone is bold. */
function plain(span: StyledText): StyledText {
  return { ...span, styles: (span.styles ?? []).filter((style) => style !== 'bold') }
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
