import { LIMITS, stripEnd } from '@string-os/protocol'
import { Pen } from './pen.ts'
import { styledBehind, styledCell, styledLine } from './styled-lines.ts'

interface Cursor {
  row: number
  column: number
  /** Cells that may still be filled with blanks. */
  blanks: number
  /** What keeps the styles, where somebody wants them. */
  readonly pen: Pen | null
  style: string
  /** Lines with tabs that stand as they were printed: the first of its cells holds one, the others nothing. Null: tabs are blanks. */
  readonly tabbed: Set<string[]> | null
}

const ESCAPE = 27
// CSI: parameters, intermediates, final. OSC and the other strings end with BEL or ESC \.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const CSI = /\x1b\[([0-9;:<=>?]*)[ -/]*([@-~]|$)/y
/** Other sequences end with `m`, too, and say something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const STYLE = /^\x1b\[[\d;:]*m$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const STRING = /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const OTHER = /\x1b[ -/]*[0-~]?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: text is what holds none
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const PLAIN = /[^\x00-\x1f\x7f-\x9f]+/y

/**
 * What a terminal would show in the end: colours gone, progress bars at their last state, text that was written over
 * replaced. Lines have no width, so nothing wraps, and a tab stays one where nothing is written over it: whoever reads a table or
 * a Makefile gets what is in it. What it takes and makes is a small multiple of what was printed.
 */
export function screenText(output: string): string {
  return undrawnText(output) ?? shownLines(drawn(output, null, true), plainLine)
}

/** The same for a terminal, on which a tab is the blanks that it looks like. */
export function alignedText(output: string): string {
  return undrawnText(output) ?? shownLines(drawn(output, null), plainLine)
}

/** What nothing moves about in stands as it was printed, which is most of what programs print: it needs no cells. */
function undrawnText(output: string): string | null {
  const text = output.replaceAll('\r\n', '\n')
  if (CONTROL.test(text)) return null
  const lines = text.split('\n').map((line) => line.trimEnd())
  return stripEnd(lines.join('\n'), '\n')
}

/** A text with the blanks and line ends at its end. */
export function joinableText(output: string, shown: (output: string) => string = screenText): string {
  const marked = shown(`${output}|`)
  return marked.endsWith('|') ? marked.slice(0, -1) : shown(output)
}

function plainLine(line: readonly string[]): string {
  return line.join('').trimEnd()
}

/** The same with its styles: colours, bold, underlined and the like, and nothing else that a terminal would obey. */
export function styledScreenText(output: string): string {
  return shownLines(drawn(output, new Pen()), styledLine)
}

function shownLines(lines: readonly string[][], show: (line: readonly string[]) => string): string {
  return stripEnd(lines.map(show).join('\n'), '\n')
}

function drawn(output: string, pen: Pen | null, keepsTabs = false): string[][] {
  const lines: string[][] = [[]]
  const tabbed = keepsTabs ? new Set<string[]>() : null
  const cursor: Cursor = { row: 0, column: 0, blanks: LIMITS.screenBlanks * output.length, pen, style: '', tabbed }
  let at = 0
  while (at < output.length) {
    const code = output.charCodeAt(at)
    if (code === ESCAPE) at = readEscape(output, at, lines, cursor)
    else if (code < 32 || (code >= 127 && code < 160)) {
      control(code, lines, cursor)
      at += 1
    } else {
      PLAIN.lastIndex = at
      const text = PLAIN.exec(output)?.[0] ?? output.charAt(at)
      put(text, lines, cursor)
      at += text.length
    }
  }
  return lines
}

function put(text: string, lines: string[][], cursor: Cursor): void {
  const line = lineAt(lines, cursor.row)
  fillTo(line, cursor)
  writeOver(line, cursor)
  for (const character of graphemes(text)) {
    if (cursor.column < LIMITS.screenColumns) line[cursor.column] = styledCell(character, cursor.style)
    else line[LIMITS.screenColumns] = behind(line[LIMITS.screenColumns] ?? '', character, cursor)
    cursor.column += 1
  }
}

function behind(cell: string, character: string, { pen, style }: Cursor): string {
  return pen === null ? cell + character : styledBehind(cell, character, style)
}

/** Where something is written over them, tabs are the blanks that they look like. */
function writeOver(line: string[], { column, tabbed }: Cursor): void {
  if (tabbed === null || column >= line.length || !tabbed.delete(line)) return
  for (const [at, cell] of line.entries()) if (cell === '\t' || cell === '') line[at] = ' '
}

/** Behind a text that nothing was written over it is kept. */
function tab(lines: string[][], cursor: Cursor): void {
  const { column, tabbed } = cursor
  const next = Math.min(LIMITS.screenColumns, (Math.floor(column / 8) + 1) * 8)
  const line = lineAt(lines, cursor.row)
  const isKept = tabbed !== null && line.length === column && spend(cursor, next - column) === next - column
  if (isKept && next > column) {
    line.push('\t')
    while (line.length < next) line.push('')
    tabbed.add(line)
  }
  cursor.column = next
}

/** Makes the cells between the end of a line and the cursor; where there are too many, the cursor stays behind. */
function fillTo(line: string[], cursor: Cursor): void {
  const missing = Math.min(cursor.column, LIMITS.screenColumns) - line.length
  if (missing <= 0) return
  const made = spend(cursor, missing)
  for (let cell = 0; cell < made; cell += 1) line.push(' ')
  if (made < missing) cursor.column = line.length
}

function spend(cursor: Cursor, cells: number): number {
  const spent = Math.min(cells, cursor.blanks)
  cursor.blanks -= spent
  return spent
}

/** A character with the marks that belong to it takes one place. The segmenter is quadratic, so it gets small pieces. */
function* graphemes(text: string): Iterable<string> {
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^[\x20-\x7e]*$/.test(piece)) yield* piece
    else for (const { segment } of SEGMENTER.segment(piece)) yield segment
  }
}

const PIECE = /.{1,500}\p{M}{0,50}/gsu

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function control(code: number, lines: string[][], cursor: Cursor): void {
  if (code === 10 || code === 11 || code === 12) {
    cursor.row += 1
    cursor.column = 0
    lineAt(lines, cursor.row)
  } else if (code === 13) cursor.column = 0
  else if (code === 8) cursor.column = Math.max(0, cursor.column - 1)
  else if (code === 9) tab(lines, cursor)
}

function readEscape(output: string, at: number, lines: string[][], cursor: Cursor): number {
  CSI.lastIndex = at
  const csi = CSI.exec(output)
  if (csi !== null) {
    const [sequence, parameters = '', final = ''] = csi
    if (final !== 'm') move(parameters, final, lines, cursor)
    else if (cursor.pen !== null && STYLE.test(sequence)) {
      cursor.pen.take(parameters)
      cursor.style = cursor.pen.style
    }
    return CSI.lastIndex
  }
  for (const pattern of [STRING, OTHER]) {
    pattern.lastIndex = at
    if (pattern.exec(output) !== null) return pattern.lastIndex
  }
  return at + 1
}

function move(parameters: string, final: string, lines: string[][], cursor: Cursor): void {
  const [first = '', second = ''] = parameters.split(';')
  const amount = Math.min(LIMITS.screenColumns, Math.max(1, Number(first) || 1))
  if (final === 'A') cursor.row = Math.max(0, cursor.row - Math.min(amount, LIMITS.screenRowsUp))
  else if (final === 'B') cursor.row = Math.min(lines.length - 1, cursor.row + amount)
  else if (final === 'C') cursor.column = Math.min(LIMITS.screenColumns, cursor.column + amount)
  else if (final === 'D') cursor.column = Math.max(0, cursor.column - amount)
  else if (final === 'G') cursor.column = amount - 1
  else if (final === 'H' || final === 'f')
    cursor.column = Math.min(LIMITS.screenColumns, Math.max(1, Number(second) || 1)) - 1
  else if (final === 'K') erase(lineAt(lines, cursor.row), first, cursor)
}

function erase(line: string[], which: string, cursor: Cursor): void {
  const { column } = cursor
  writeOver(line, cursor)
  if (which === '2') line.length = 0
  else if (which === '1') line.fill(' ', 0, spend(cursor, Math.min(column + 1, line.length)))
  else if (line.length > column) line.length = column
}

function lineAt(lines: string[][], row: number): string[] {
  while (lines.length <= row) lines.push([])
  return lines[row] ?? []
}
