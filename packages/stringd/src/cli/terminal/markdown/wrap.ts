import { type Cell, cellsOf, widthOf } from '../cells.ts'
import { type Line, lineWidth, type StyledText } from '../styled-text.ts'

/** A word, which may change its style within, or the blank between two. */
interface Word {
  readonly spans: StyledText[]
  width: number
}

/** Breaks a line between words so that it fits; a word that is wider than everything is broken anywhere. */
export function wrap(line: Line, width: number): readonly Line[] {
  if (lineWidth(line) <= width) return [line]
  const lines: StyledText[][] = [[]]
  let column = 0
  let blank: Word | null = null
  for (const word of wordsOf(line)) {
    if (isBlank(word)) {
      blank = word
      continue
    }
    const gap = column === 0 ? 0 : (blank?.width ?? 0)
    if (column > 0 && column + gap + word.width > width) {
      lines.push([])
      column = 0
    } else if (gap > 0 && blank !== null) {
      put(lines, blank)
      column += gap
    }
    blank = null
    for (const part of broken(word, width)) {
      if (column > 0 && column + part.width > width) {
        lines.push([])
        column = 0
      }
      put(lines, part)
      column += part.width
    }
  }
  return lines
}

/** How much room a line needs so that no word of it is broken. */
export function widestWord(line: Line): number {
  return wordsOf(line).reduce((widest, word) => Math.max(widest, isBlank(word) ? 0 : word.width), 0)
}

/** Breaks a line where the window ends, as a terminal does; no blank of it is lost. */
export function brokenAnywhere(line: Line, width: number): readonly Line[] {
  return broken({ spans: [...line], width: lineWidth(line) }, width).map(({ spans }) => spans)
}

function put(lines: StyledText[][], { spans }: Word): void {
  for (const span of spans) lines.at(-1)?.push(span)
}

function isBlank({ spans }: Word): boolean {
  return spans.every(({ text }) => text.trim() === '')
}

function wordsOf(line: Line): Word[] {
  const words: Word[] = []
  let last: Word | null = null
  for (const span of line) {
    for (const text of span.text.split(/( +)/).filter((part) => part !== '')) {
      const piece = { ...span, text }
      const blank = text.trim() === ''
      if (last !== null && isBlank(last) === blank) {
        last.spans.push(piece)
        last.width += widthOf(text)
      } else {
        last = { spans: [piece], width: widthOf(text) }
        words.push(last)
      }
    }
  }
  return words
}

/** A row does not begin with these: they belong to what stands before them. */
const NEVER_FIRST = /^[、。，．：；？！）］｝」』】〉》〕”’…ー々]/u
/** More of them in a row are no text any more. */
const MOVED = 3

interface WordCell extends Cell {
  readonly span: StyledText
}

function broken(word: Word, width: number): Word[] {
  if (word.width <= width) return [word]
  const rows: WordCell[][] = [[]]
  let taken = 0
  for (const span of word.spans) {
    for (const each of cellsOf(span.text)) {
      const cell = { ...each, span }
      const row = rows.at(-1) ?? []
      if (taken + cell.width > width && row.length > 0) {
        rows.push(goingAlong(row, cell))
        taken = (rows.at(-1) ?? []).reduce((sum, moved) => sum + moved.width, 0)
      }
      rows.at(-1)?.push(cell)
      taken += cell.width
    }
  }
  return rows.map(wordOf)
}

/** What goes to the next row with a character, because that may not begin it. */
function goingAlong(row: WordCell[], next: WordCell): WordCell[] {
  const moved: WordCell[] = []
  while (moved.length < MOVED && row.length > 1 && NEVER_FIRST.test((moved[0] ?? next).shown))
    moved.unshift(...row.splice(-1))
  return moved
}

function wordOf(cells: readonly WordCell[]): Word {
  const spans: StyledText[] = []
  let last: StyledText | null = null
  let width = 0
  for (const { shown, span, width: columns } of cells) {
    const before = last === span ? spans.pop() : undefined
    spans.push({ ...span, text: `${before?.text ?? ''}${shown}` })
    last = span
    width += columns
  }
  return { spans, width }
}
