import type { HtmlElement, HtmlNode } from '../read/tree.ts'
import { BREAK, escapeLineStart } from './escape.ts'
import type { InlineWriter } from './inline.ts'

const BREAKS = new RegExp(`(?: ?${BREAK} ?)+`, 'g')
const PARTING_BREAKS = new RegExp(`(?: ?${BREAK} ?){2,}`, 'g')

export interface MarkdownBlock {
  readonly kind: 'text' | 'heading' | 'list' | 'numbers' | 'rule' | 'other'
  readonly text: string
}

/** What the writers of the different blocks share. */
export interface Writer {
  readonly inline: InlineWriter
  /** The blocks inside an element. */
  readonly blocks: (parent: HtmlElement) => MarkdownBlock[]
}

export function joinBlocks(blocks: readonly MarkdownBlock[]): string {
  return blocks.map(({ text }) => text).join('\n\n')
}

/** Text on one line: breaks become spaces. */
export function oneLine(writer: Writer, nodes: readonly HtmlNode[]): string {
  return writer.inline(nodes).replace(BREAKS, ' ').trim()
}

/** The paragraphs of a run of text: one line break stays one, more part it. */
export function paragraphs(writer: Writer, nodes: readonly HtmlNode[]): string[] {
  const text = writer.inline(nodes)
  const parts = text.includes(BREAK) ? text.split(PARTING_BREAKS).map(paragraph) : [escapeLineStart(text)]
  return parts.filter((part) => part !== '')
}

function paragraph(text: string): string {
  const lines = text.split(BREAK).map((line) => escapeLineStart(line.trim()))
  return lines.filter((line) => line !== '').join('\\\n')
}

/** Puts `first` before the first line and `rest` before the others; a blank line gets no spaces at its end. */
export function prefixed(text: string, first: string, rest: string): string {
  const filled = text.replace(/\n(?=.)/g, `\n${rest}`)
  const blank = rest.trimEnd()
  return first + (blank === '' ? filled : filled.replace(/\n(?=\n)/g, `\n${blank}`))
}
