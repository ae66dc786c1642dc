import { columnsOf } from './columns.ts'

/** Where a text is written, and how wide that is; only a terminal has a width. */
interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Sentences of our own: where a terminal would break them anywhere, they are broken between words. */
export function prose(text: string, { isTTY, columns }: Stream): string {
  if (isTTY !== true || columns === undefined || columns < 1) return text
  return text
    .split('\n')
    .map((line) => brokenLine(line, columns))
    .join('\n')
}

/** What goes on is indented as the line is. A word that is wider than everything is left to the terminal. */
function brokenLine(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line
  const [lead = ''] = /^ */.exec(line) ?? []
  const rows: string[] = []
  let row = ''
  for (const word of line.trim().split(/ +/)) {
    const longer = row === '' ? `${lead}${word}` : `${row} ${word}`
    if (row !== '' && columnsOf(longer) > columns) {
      rows.push(row)
      row = `${lead}${word}`
    } else row = longer
  }
  return [...rows, row].join('\n')
}
