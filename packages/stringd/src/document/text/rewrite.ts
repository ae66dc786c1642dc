import { diffArrays } from 'diff'
import { maxEdits } from './diff.ts'
import { spliceLines, type TextLine } from './text-lines.ts'

/** All lines anew. Where a file mixes its line ends, lines that stay keep their own. */
export function rewriteLines(lines: readonly TextLine[], texts: readonly string[]): TextLine[] {
  const next = spliceLines(lines, 0, lines.length, texts)
  const isMixed = new Set(lines.map(({ end }) => end).filter((end) => end !== '')).size > 1
  const parts = isMixed
    ? diffArrays(
        lines.map(({ text }) => text),
        [...texts],
        { maxEditLength: maxEdits(lines.length + texts.length) },
      )
    : undefined
  let oldLine = 0
  let newLine = 0
  for (const { value, added, removed } of parts ?? []) {
    for (let index = 0; index < value.length; index += 1) {
      const old = lines[oldLine]
      const kept = next[newLine]
      if (!added && !removed && old !== undefined && kept !== undefined && old.end !== '' && kept.end !== '')
        next[newLine] = old
      if (!added) oldLine += 1
      if (!removed) newLine += 1
    }
  }
  return next
}
