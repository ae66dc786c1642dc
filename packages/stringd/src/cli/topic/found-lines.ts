import type { ExecResult } from '@string-os/client'
import { hangingLines } from '../terminal/hanging.ts'
import type { Line, StyledText } from '../terminal/styled-text.ts'

/** What `/find` looked for, where it looked for a text as it stands. */
export interface Sought {
  readonly text: string | null
  readonly ignoreCase: boolean
}

/** Null for the answer of any other command. */
export function soughtIn(data: ExecResult['data']): Sought | null {
  const pattern = data?.pattern
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern) || data?.matches === undefined)
    return null
  const { text, regex, ignore_case } = pattern as { text?: unknown; regex?: unknown; ignore_case?: unknown }
  return { text: typeof text === 'string' && regex !== true ? text : null, ignoreCase: ignore_case === true }
}

/** A target, and what stands there; or a line of several under one target. */
const ROW = /^(.+?:L\d+(?:-L\d+)?'?(?::(?= )|$)| +\d+ [* ]│)(.*)$/s

/** Lines that were found: where they are is dim, and what was looked for stands out. */
export function foundLines(body: string, sought: Sought, width: number): readonly Line[] {
  return body.split('\n').flatMap((row) => {
    if (row.startsWith('[')) return hangingLines([{ text: row, styles: ['dim'] }], width)
    const [, place, text = ''] = ROW.exec(row) ?? []
    return place === undefined
      ? hangingLines([{ text: row }], width)
      : hangingLines([{ text: place, styles: ['dim'] }, ...marked(text, sought)], width)
  })
}

function marked(line: string, { text, ignoreCase }: Sought): StyledText[] {
  if (text === null || text === '') return [{ text: line }]
  const folded = ignoreCase ? line.toLowerCase() : line
  const wanted = ignoreCase ? text.toLowerCase() : text
  // Letters that change their number with their case would mark what stands beside it.
  if (folded.length !== line.length) return [{ text: line }]
  const spans: StyledText[] = []
  let at = 0
  for (let hit = folded.indexOf(wanted); hit !== -1; hit = folded.indexOf(wanted, at)) {
    const end = hit + wanted.length
    spans.push({ text: line.slice(at, hit) }, { text: line.slice(hit, end), styles: ['bold', 'red'] })
    at = end
  }
  return [...spans, { text: line.slice(at) }]
}
