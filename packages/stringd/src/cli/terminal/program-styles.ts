import { visibleText, withoutStyles } from '@string-os/protocol'
import { cellsOf, fitText, safeText, widthOf } from './cells.ts'

/** The one thing of what a program prints that a terminal may obey: how the text behind it looks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
const STYLE = /(\x1b\[[\d;]*m)/
const RESET = '\x1b[0m'

/** What a program printed, as a terminal may get it: its styles as they are, all else made visible. */
export function visibleStyled(text: string): string {
  return painted(text, visibleText)
}

/** The same on one line. */
export function safeStyled(text: string): string {
  return painted(text, safeText)
}

/** The same on one line, as much of it as there is room for. */
export function fitStyled(text: string, width: number): string {
  const plain = withoutStyles(text)
  if (plain === text) return safeText(fitText(text, width))
  const used = widthOf(plain)
  if (used <= width) return painted(filled(text, width - used), safeText)
  let room = width - 1
  const fit = (piece: string): string => {
    let shown = ''
    for (const cell of cellsOf(piece)) {
      room -= cell.width
      if (room < 0) break
      shown += cell.shown
    }
    return shown
  }
  return width > 0 ? `${painted(text, fit)}…` : ''
}

/** Rows of a width, as a terminal breaks a line. */
export function wrapStyled(text: string, width: number): string[] {
  const rows: string[] = []
  let [row, column, style] = ['', 0, '']
  for (const [index, piece] of text.split(STYLE).entries()) {
    if (index % 2 === 1) {
      style = piece === RESET ? '' : style + piece
      row += piece
      continue
    }
    for (const cell of cellsOf(piece)) {
      if (column + cell.width > width && column > 0) {
        rows.push(style === '' ? row : row + RESET)
        row = style
        column = 0
      }
      row += cell.shown
      column += cell.width
    }
  }
  return [...rows, row]
}

/** A style without a text at the end of a line goes on to the edge. */
function filled(text: string, columns: number): string {
  const [all = '', style = ''] = REST.exec(text) ?? []
  return all === '' ? text : `${text.slice(0, -all.length)}${style}${' '.repeat(columns)}${RESET}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const REST = /(\x1b\[[1-9][\d;]*m)\x1b\[0m$/

function painted(text: string, show: (piece: string) => string): string {
  const pieces = text.split(STYLE)
  if (pieces.length === 1) return show(text)
  const shown = pieces.map((piece, index) => (index % 2 === 1 ? piece : show(piece))).join('')
  return pieces.at(-2) === RESET ? shown : `${shown}${RESET}`
}
