import type { Frame } from '../editor/layout.ts'
import type { Drawing } from '../editor/stage.ts'
import { type Line, lineWidth } from '../styled-text.ts'
import { endOfBlock } from './end-of-block.ts'
import { type MarkdownManner, markdownLines } from './render.ts'
import { brokenAnywhere } from './wrap.ts'

/** A line of which it is not known yet what it begins. */
const UNDECIDED = /^(?:[-+*=_#|:>\s]+|[\s>]*\d{1,9}[.)]?\s*)$/
/** Marks that nobody needs to see: they begin or end a block of code. */
const FENCE_BEGUN = /^\s*(?:`{1,2}|~{1,2}|`{3,}[^`]*|~{3,}.*)$/
const FENCE_ENDING = /^\s*(?:`+|~+)\s*$/

/** The end of a block that is still being written: whatever is closed in it looks as it will in the end. */
export function unfinishedBlock(text: string, isInFence: boolean, manner: () => MarkdownManner): Drawing {
  let last: { readonly width: number; readonly height: number; readonly frame: Frame } | null = null
  return (width, height) => {
    // It is drawn at every key, too.
    if (last?.width !== width || last.height !== height) {
      // More than a window holds is not laid out each time that a word comes.
      const end = endOfBlock(text.toWellFormed(), width * height, isInFence)
      // Code is wider than the window, and so is everything where that is very narrow.
      const rows = linesOf(end, isInFence, { ...manner(), width })
        .slice(-height)
        .flatMap((line) => brokenAnywhere(line, width))
      last = { width, height, frame: endOf(rows, width, height) }
    }
    return last.frame
  }
}

function linesOf(text: string, isInFence: boolean, manner: MarkdownManner): readonly Line[] {
  const { known, tail } = isInFence ? inFence(text) : besideTail(text)
  const lines = markdownLines(known, manner, true)
  const isApart = tail !== '' && lines.length > 0 && /\n[ \t]*\n$/.test(known)
  return [...lines, ...(isApart ? [[]] : []), ...(tail === '' ? [] : [[{ text: tail }]])]
}

function inFence(text: string): { readonly known: string; readonly tail: string } {
  const at = text.lastIndexOf('\n') + 1
  return { known: FENCE_ENDING.test(text.slice(at)) ? text.slice(0, at) : text, tail: '' }
}

/** A line of marks alone could make a heading of the one above it, which then becomes a list: it is shown as it is written. */
function besideTail(text: string): { readonly known: string; readonly tail: string } {
  const at = text.lastIndexOf('\n') + 1
  const line = text.slice(at)
  if (line === '') return { known: text, tail: '' }
  if (FENCE_BEGUN.test(line)) return { known: text.slice(0, at), tail: '' }
  if (UNDECIDED.test(line)) return { known: text.slice(0, at), tail: line.trimEnd() }
  return { known: withoutHalfMark(text, line), tail: '' }
}

/** `**bold*` is nothing that anybody wrote: the other half of its end is on its way. */
function withoutHalfMark(text: string, line: string): string {
  const [, mark] = /[^\s*_~\\]([*_~])$/.exec(line) ?? []
  if (mark === undefined) return text
  const isOpen = (line.split(mark + mark).length - 1) % 2 === 1
  return isOpen ? text.slice(0, -1) : text
}

function endOf(rows: readonly Line[], width: number, height: number): Frame {
  const seen = rows.slice(-height)
  const shown = seen.length === 0 ? [[]] : seen
  const column = Math.min(width - 1, lineWidth(shown.at(-1) ?? []))
  return { rows: shown, cursor: { row: shown.length - 1, column } }
}
