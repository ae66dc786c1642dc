import { visibleLine } from '@string-os/protocol'
import stringWidth from 'string-width'

/** One character as a person sees it, with all marks that belong to it. */
export interface Cell {
  /** What is printed: never anything that a terminal obeys. */
  readonly shown: string
  readonly width: number
  /** How many UTF-16 units of the text it is. */
  readonly length: number
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const PLAIN = /^[\x20-\x7e]*$/
/** Sequences that Unicode lists, joiners and all; made from text because the compiler's target is older than its flag. */
const LISTED = '\\p{RGI_Emoji}'
const EMOJI = new RegExp(`^${LISTED}$`, 'v')
const TAB = '    '
/** The segmenter takes time that grows with the square of what it is given. */
const PIECE = /[\s\S]{1,500}\p{M}{0,50}/gu

/** A text without line ends, character by character. */
export function* cellsOf(text: string): Iterable<Cell> {
  if (PLAIN.test(text)) {
    for (const character of text) yield { shown: character, width: 1, length: 1 }
    return
  }
  for (const [piece] of text.matchAll(PIECE)) for (const { segment } of SEGMENTER.segment(piece)) yield cell(segment)
}

function cell(segment: string): Cell {
  const { length } = segment
  if (length === 1 && PLAIN.test(segment)) return { shown: segment, width: 1, length }
  if (segment === '\t') return { shown: TAB, width: TAB.length, length }
  const shown = EMOJI.test(segment) ? segment : visibleLine(segment.toWellFormed())
  return { shown, width: stringWidth(shown), length }
}

/** A text as it may be printed on one line, whatever it holds. */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text
  let shown = ''
  for (const each of cellsOf(text)) shown += each.shown
  return shown
}

/** How many columns it takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const each of cellsOf(text)) width += each.width
  return width
}

/** As much of it as there is room for, with `…` where something was left out. */
export function fitText(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let fit = ''
  let room = width - 1
  for (const { shown, width: needed } of cellsOf(text)) {
    room -= needed
    if (room < 0) break
    fit += shown
  }
  return width > 0 ? `${fit}…` : ''
}
