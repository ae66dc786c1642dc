import { cellsOf } from '../cells.ts'
import type { Line, Style, StyledText } from '../styled-text.ts'

/** What stands on the screen: rows that fit its width, and where the cursor is. */
export interface Frame {
  readonly rows: readonly Line[]
  readonly cursor: { readonly row: number; readonly column: number }
}

/** Text to lay out, and how. */
interface Piece {
  readonly text: string
  readonly styles?: readonly Style[]
}

/** Puts text into rows of a width, character by character; what does not fit goes on in the next row. */
class Rows {
  readonly rows: StyledText[][] = [[]]
  readonly #width: number
  column = 0

  constructor(width: number) {
    this.#width = Math.max(2, width)
  }

  get row(): number {
    return this.rows.length - 1
  }

  put({ text, styles }: Piece): void {
    let run = ''
    const flush = (): void => {
      if (run !== '') this.rows.at(-1)?.push(styles === undefined ? { text: run } : { text: run, styles })
      run = ''
    }
    for (const { shown, width } of cellsOf(text)) {
      // What is written out because it cannot be shown may be wider than what is left.
      const parts = width > 2 ? Array.from(shown, (each) => ({ shown: each, width: 1 })) : [{ shown, width }]
      for (const part of parts) {
        if (this.column + part.width > this.#width) {
          flush()
          this.newRow()
        }
        run += part.shown
        this.column += part.width
      }
    }
    flush()
  }

  newRow(): void {
    this.rows.push([])
    this.column = 0
  }

  /** Where the next character would stand. */
  cursor(): Frame['cursor'] {
    if (this.column >= this.#width) this.newRow()
    return { row: this.row, column: this.column }
  }
}

export interface Typed {
  readonly prompt: Line
  readonly text: string
  readonly at: number
  /** Suggested behind the text. */
  readonly hint: string
  /** A part of the text that was searched for. */
  readonly found?: { readonly from: number; readonly to: number } | null
  readonly below: (width: number, height: number) => readonly Line[]
}

const MORE_LINES: Piece = { text: '… ', styles: ['dim'] }

/** Lays out what is typed. Of a text that is higher than the screen, the part around the cursor is shown. */
export function layOut(typed: Typed, width: number, height: number): Frame {
  const { prompt, at, hint, found = null } = typed
  const { text, cut } = near(typed.text, at, width, height)
  const rows = new Rows(width)
  for (const span of prompt) rows.put(span)
  let cursor: Frame['cursor'] | null = null
  for (const piece of pieces(text, at - cut, found, cut)) {
    if (piece === 'cursor') cursor = rows.cursor()
    else if (piece === 'line') {
      rows.newRow()
      rows.put(MORE_LINES)
    } else rows.put(piece)
  }
  cursor ??= rows.cursor()
  if (hint !== '') rows.put({ text: hint, styles: ['dim'] })
  return withBelow(rows.rows, cursor, typed, width, height)
}

function withBelow(
  rows: readonly Line[],
  cursor: Frame['cursor'],
  { below }: Typed,
  width: number,
  height: number,
): Frame {
  const more = below(width, Math.max(0, height - Math.min(rows.length, height) - 1))
  const room = Math.max(1, height - more.length)
  const top = Math.max(0, Math.min(cursor.row - room + 1, rows.length - room), cursor.row - room + 1)
  const seen = rows.slice(top, top + room)
  return { rows: [...seen, ...more], cursor: { row: cursor.row - top, column: cursor.column } }
}

/** What stands around the cursor and a screen could show at all: of a very long text, laying out the rest would only take time. */
function near(text: string, at: number, width: number, height: number): { text: string; cut: number } {
  const reach = 4 * width * height
  let start = at
  let end = at
  for (let lines = 0; lines <= height && start > 0; lines += 1) start = text.lastIndexOf('\n', start - 1)
  for (let lines = 0; lines <= height && end !== -1; lines += 1) end = text.indexOf('\n', end + (lines === 0 ? 0 : 1))
  const from = whole(text, Math.max(0, start, at - reach))
  const to = whole(text, Math.min(end === -1 ? text.length : end, at + reach))
  return { text: text.slice(from, to), cut: from }
}

/** Not between the halves of a character. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}

type Step = Piece | 'cursor' | 'line'

function* pieces(text: string, at: number, found: Typed['found'], cut: number): Iterable<Step> {
  const marks = new Set([at, ...(found == null ? [] : [found.from - cut, found.to - cut])])
  const cuts = [...marks].filter((mark) => mark >= 0 && mark <= text.length).sort((a, b) => a - b)
  let from = 0
  for (const mark of [...cuts, text.length]) {
    const isFound = found != null && from >= found.from - cut && from < found.to - cut
    yield* inLines(text.slice(from, mark), isFound ? ['underline', 'bold'] : undefined)
    if (mark === at) yield 'cursor'
    from = mark
    if (mark === text.length) return
  }
}

function* inLines(text: string, styles: readonly Style[] | undefined): Iterable<Step> {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) yield 'line'
    if (line !== '') yield styles === undefined ? { text: line } : { text: line, styles }
  }
}
