import { withoutStyles } from '@string-os/protocol'
import { firstBytes, lastBytes } from './both-ends.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: a style begins with one
const PIECE = /\x1b\[(?:0;?)?([\d;]*)m|([^\x1b]+)/g
const RESET = '\x1b[0m'

/** A character that is printed in a style: a cell of a screen that keeps styles. Characters hold no escapes. */
export function styledCell(character: string, style: string): string {
  return `\x1b[${style}m${character}`
}

/** A cell without its style. */
export function plainCell(cell: string): string {
  return cell.charCodeAt(0) === ESCAPE ? cell.slice(cell.indexOf('m') + 1) : cell
}

const ESCAPE = 27

/** A line made of cells, with a style wherever it changes and none at its end, where blanks are left out. */
export function styledLine(cells: readonly string[]): string {
  const { length } = cells.map(withoutStyles).join('').trimEnd()
  const line = new StyledLine(length)
  for (const cell of cells) line.addAll(cell)
  return line.end()
}

/** The part of a styled text that stands at `from` to `to` without its styles. What is open where it is cut is closed. */
function partOf(text: string, from: number, to: number): string {
  const lines: string[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const { length } = withoutStyles(line)
    if (at <= to && at + length >= from) lines.push(partOfLine(line, Math.max(0, from - at), to - at))
    at += length + 1
  }
  return lines.join('\n')
}

function partOfLine(text: string, from: number, to: number): string {
  const line = new StyledLine(to, from)
  line.addAll(text)
  return line.end()
}

/** As of plain text: how much fits is the same, whatever styles it has. */
export function firstStyled(text: string, limitBytes: number): string {
  return partOf(text, 0, firstBytes(withoutStyles(text), limitBytes).length)
}

export function lastStyled(text: string, limitBytes: number): string {
  const plain = withoutStyles(text)
  return partOf(text, plain.length - lastBytes(plain, limitBytes).length, plain.length)
}

/** Puts a line together; only what stands at `from` to `to` of its text. */
class StyledLine {
  readonly #to: number
  readonly #from: number
  #at = 0
  #line = ''
  #style = ''

  constructor(to: number, from = 0) {
    this.#to = to
    this.#from = from
  }

  /** A text that begins without a style. */
  addAll(text: string): void {
    if (text.charCodeAt(0) !== ESCAPE && !text.includes('\x1b')) return this.#add(text, '')
    let style = ''
    for (const [, began, piece = ''] of text.matchAll(PIECE)) {
      if (began !== undefined) style = began
      else this.#add(piece, style)
    }
  }

  end(): string {
    return this.#style === '' ? this.#line : `${this.#line}${RESET}`
  }

  #add(text: string, style: string): void {
    const shown = text.slice(Math.max(0, this.#from - this.#at), Math.max(0, this.#to - this.#at))
    this.#at += text.length
    if (shown === '') return
    if (style !== this.#style) this.#line += style === '' ? RESET : `\x1b[${this.#style === '' ? '' : '0;'}${style}m`
    this.#style = style
    this.#line += shown
  }
}
