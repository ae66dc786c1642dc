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

/** Narrower than this, a second column says nothing any more. */
const LEAST_COLUMNS = 20

/** What goes on is indented as the line is, in a row of two columns as the second. A word that is wider than everything is left to the terminal. */
function brokenLine(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line
  const { begin, lead, rest } = columnsIn(line, columns)
  const rows: string[] = []
  let row = ''
  for (const word of rest.split(/ +/)) {
    const longer = row === '' ? `${begin}${word}` : `${row} ${word}`
    if (row !== '' && columnsOf(longer) > columns) {
      rows.push(row)
      row = `${lead}${word}`
    } else row = longer
  }
  return [...rows, row].join('\n')
}

/** What a line begins with, what its other rows do, and what is broken. */
function columnsIn(line: string, columns: number): { begin: string; lead: string; rest: string } {
  const [, name = '', about = ''] = /^( *\S+(?: \S+)* {2,})(\S.*)$/.exec(line) ?? []
  const width = columnsOf(name)
  if (name !== '' && columns - width >= LEAST_COLUMNS)
    return { begin: name, lead: ' '.repeat(width), rest: about.trim() }
  const [lead = ''] = /^ */.exec(line) ?? []
  return { begin: lead, lead, rest: line.trim() }
}
