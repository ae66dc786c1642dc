import { diffArrays } from 'diff'
import { maxEdits } from './diff.ts'
import type { TextLine } from './text-lines.ts'

/** Where a file mixes its line ends, lines that stay keep their own. `anew` are the lines that take the place of all. */
export function keepEnds(lines: readonly TextLine[], anew: readonly TextLine[]): TextLine[] {
  const next = [...anew]
  const isMixed = new Set(lines.map(({ end }) => end).filter((end) => end !== '')).size > 1
  const parts = isMixed
    ? diffArrays(
        lines.map(({ text }) => text),
        anew.map(({ text }) => text),
        { maxEditLength: maxEdits(lines.length + anew.length) },
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
