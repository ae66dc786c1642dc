import type { ExecResult } from '@string-os/client'
import { visibleLine, withoutStyles } from '@string-os/protocol'
import { widthOf } from '../terminal/cells.ts'
import { wrapStyled } from '../terminal/program-styles.ts'
import { isMore, lineIn, placeAfter, shellAnswer, TYPED_COLUMNS } from './shell-answer.ts'
import { type ShownPart, shownPart } from './shown-part.ts'

/** What may still change, as rows: what a program has drawn over, or a line that has not ended and is too wide to be a prompt. */
export function shownRows(result: ExecResult, columns: number): ShownPart | null {
  return shownPart(result) ?? wideLine(result, columns)
}

/** It grows in its place, and is broken as a terminal breaks it. */
function wideLine(result: ExecResult, columns: number): ShownPart | null {
  const line = isMore(result) ? null : lineIn(result)
  if (line === null || widthOf(line.text) <= columns - TYPED_COLUMNS) return null
  const { shown } = shellAnswer(result)
  const at = shown.lastIndexOf('\n')
  const last = shown.slice(at + 1)
  if (visibleLine(withoutStyles(last)).trim() !== line.text.trim()) return null
  // Blanks at its end are in the plain text alone.
  const plain = wrapStyled(line.text, columns)
  const styled = wrapStyled(last, columns)
  return {
    above: at === -1 ? [] : shown.slice(0, at).split('\n'),
    open: plain.map((_, index) => styled[index] ?? ''),
    shown: 0,
    row: plain.length - 1,
    column: Math.min(widthOf(plain.at(-1) ?? ''), columns - 1),
    isOver: false,
    place: line.place,
    line: line.place,
    end: placeAfter(result, line.place),
  }
}
