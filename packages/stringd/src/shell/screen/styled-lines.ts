import { withoutStyles } from '@string-os/protocol'
import { firstBytes, lastBytes } from '../both-ends.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: a style begins with one
const PIECE = /\x1b\[(?:0;?)?([\d;]*)m|([^\x1b]+)/g
const RESET = '\x1b[0m'

const ESCAPE = 27

/** A character that is printed in a style: a cell of a screen that keeps styles. Characters hold no escapes. */
export function styledCell(character: string, style: string): string {
  return style === '' ? character : `\x1b[${style}m${character}`
}

/** The same where many share a cell: each says how it is printed. */
export function styledBehind(cell: string, character: string, style: string): string {
  return `${cell}\x1b[${style}m${character}`
}

/** A cell without its style. */
export function plainCell(cell: string): string {
  return cell.charCodeAt(0) === ESCAPE ? cell.slice(cell.indexOf('m') + 1) : cell
}

/** A line made of cells, with a style wherever it changes and none at its end, where blanks are left out. */
export function styledLine(cells: readonly string[]): string {
  const text = cells.join('')
  if (!text.includes('\x1b')) return text.trimEnd()
  const line = new StyledLine(withoutStyles(cells.map(plainCell).join('')).trimEnd().length)
  for (const cell of cells) line.addCell(cell)
  return line.end()
}

/** What a line as wide as its cells has behind its text, up to its end: a style without a text; empty where there is none. */
export function styledRest(cells: readonly string[], columns: number): string {
  const last = cells[columns - 1] ?? ''
  const begin = cells.findLastIndex((cell) => plainCell(cell) !== ' ') + 1
  const isFilled = last.charCodeAt(0) === ESCAPE && plainCell(last) === ' ' && fills(last.slice(2, last.indexOf('m')))
  return isFilled && cells.slice(begin).every((cell) => cell === last) ? `${last.slice(0, -1)}${RESET}` : ''
}

/** Inverse, or with a colour behind it: seen without a text, too. */
function fills(style: string): boolean {
  const withoutLetters = style.replace(/\b38;(?:5|2;\d+;\d+);\d+/, '')
  return /\b(?:7|4[0-7]|48|10[0-7])\b/.test(withoutLetters)
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

  addCell(cell: string): void {
    if (cell.charCodeAt(0) !== ESCAPE) return this.#add(cell, '')
    const end = cell.indexOf('m')
    if (cell.includes('\x1b', end)) this.addAll(cell)
    else this.#add(cell.slice(end + 1), cell.slice(2, end))
  }

  /** A text that begins without a style. */
  addAll(text: string): void {
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
    const isWhole = this.#at >= this.#from && this.#at + text.length <= this.#to
    const shown = isWhole ? text : text.slice(Math.max(0, this.#from - this.#at), Math.max(0, this.#to - this.#at))
    this.#at += text.length
    if (shown === '') return
    if (style !== this.#style) this.#line += style === '' ? RESET : `\x1b[${this.#style === '' ? '' : '0;'}${style}m`
    this.#style = style
    this.#line += shown
  }
}
