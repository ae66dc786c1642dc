import { cellsOf, widthOf } from '../cells.ts'
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

function broken(word: Word, width: number): Word[] {
  if (word.width <= width) return [word]
  const parts: Word[] = []
  for (const span of word.spans) {
    let text = ''
    let taken = 0
    for (const cell of cellsOf(span.text)) {
      if (taken + cell.width > width && text !== '') {
        parts.push({ spans: [{ ...span, text }], width: taken })
        text = ''
        taken = 0
      }
      text += cell.shown
      taken += cell.width
    }
    if (text !== '') parts.push({ spans: [{ ...span, text }], width: taken })
  }
  return parts
}
