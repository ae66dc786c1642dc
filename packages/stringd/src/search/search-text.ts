import { LIMITS } from '@string-os/protocol'
import type { Matcher } from './pattern.ts'

/** A line of a file, counted from 1. */
export interface FoundLine {
  readonly number: number
  readonly text: string
  /** It has what was looked for; the others stand around it. */
  readonly isMatch: boolean
}

export interface FoundInText {
  /** Those that are shown, in order. */
  readonly lines: readonly FoundLine[]
  /** How many lines have it. */
  readonly total: number
}

export interface LineLimits {
  readonly matches: number
  readonly context: number
}

/** The lines of a text that have what is looked for; null when none has. */
export function searchText(text: string, matcher: Matcher, { matches, context }: LineLimits): FoundInText | null {
  const lines = new Map<number, FoundLine>()
  let total = 0
  for (const { number, start, end, at, length } of matchingLines(text, matcher)) {
    total += 1
    if (total > matches) continue
    const around = context === 0 ? [] : linesAround(text, start, end, number, context)
    for (const line of around) if (!lines.has(line.number)) lines.set(line.number, line)
    lines.set(number, { number, text: cut(withoutReturn(text.slice(start, end)), at, length), isMatch: true })
  }
  return total === 0 ? null : { total, lines: [...lines.values()].sort((a, b) => a.number - b.number) }
}

interface LineHit {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly at: number
  readonly length: number
}

function* matchingLines(text: string, matcher: Matcher): Generator<LineHit> {
  let number = 1
  let start = 0
  for (let place = matcher.first(text); place !== -1 && start < text.length; ) {
    for (let end = text.indexOf('\n', start); end !== -1 && end < place; end = text.indexOf('\n', start)) {
      number += 1
      start = end + 1
    }
    const lineEnd = text.indexOf('\n', start)
    const end = lineEnd === -1 ? text.length : lineEnd
    const found = matcher.inLine(withoutReturn(text.slice(start, end)))
    if (found !== null) yield { number, start, end, ...found }
    number += 1
    start = end + 1
    place = matcher.next === null ? start : matcher.next(text, start)
  }
}

function linesAround(text: string, start: number, end: number, number: number, context: number): FoundLine[] {
  const lines: FoundLine[] = []
  let from = start
  for (let back = 1; back <= context && from > 0; back += 1) {
    const before = text.lastIndexOf('\n', from - 2) + 1
    lines.push(plainLine(number - back, text.slice(before, from - 1)))
    from = before
  }
  let to = end
  for (let ahead = 1; ahead <= context && to + 1 < text.length; ahead += 1) {
    const next = text.indexOf('\n', to + 1)
    const behind = next === -1 ? text.length : next
    lines.push(plainLine(number + ahead, text.slice(to + 1, behind)))
    to = behind
  }
  return lines
}

function plainLine(number: number, text: string): FoundLine {
  return { number, text: cut(withoutReturn(text), 0, 0), isMatch: false }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Of a long line, the part around what was found. */
function cut(line: string, at: number, length: number): string {
  const most = LIMITS.foundLineChars
  if (line.length <= most) return line
  const spare = Math.max(0, most - length)
  const from = Math.max(0, Math.min(at - Math.floor(spare / 2), line.length - most))
  const shown = line.slice(from, from + most).toWellFormed()
  return `${from === 0 ? '' : '…'}${shown}${from + most < line.length ? '…' : ''}`
}
