import { LIMITS } from '@string-os/protocol'
import { diffArrays } from 'diff'
import type { TextLine } from './text-lines.ts'

export interface LineDiff {
  readonly added: number
  readonly removed: number
  /** Numbered lines; empty when nothing changed. */
  readonly text: string
}

/** Lines between which context is shown, counted in the new text; the last is not part of it. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

type Sign = ' ' | '-' | '+'
type Row = { readonly sign: Sign; readonly number: number; readonly text: string }

/** Lines in a row of which the same is true. */
interface Step {
  readonly sign: Sign
  readonly count: number
}

/** What changed from one text to another, with two lines of context that stop at `bounds`. */
export function diffLines(before: readonly TextLine[], after: readonly TextLine[], bounds: Bounds): LineDiff {
  const steps = compare(before, after)
  const added = linesOf(steps, '+')
  const removed = linesOf(steps, '-')
  if (added + removed === 0) return { added, removed, text: '' }
  return { added, removed, text: show(steps, before, after, bounds) }
}

function linesOf(steps: readonly Step[], sign: Sign): number {
  return steps.reduce((sum, step) => (step.sign === sign ? sum + step.count : sum), 0)
}

/** How one text becomes the other. Lines at both ends that are equal are not compared with all the others. */
function compare(before: readonly TextLine[], after: readonly TextLine[]): Step[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isEqual(before[head], after[head])) head += 1
  let tail = 0
  while (tail < shorter - head && isEqual(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const middle = compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  const steps: Step[] = [{ sign: ' ', count: head }, ...middle, { sign: ' ', count: tail }]
  return steps.filter(({ count }) => count > 0)
}

function isEqual(a: TextLine | undefined, b: TextLine | undefined): boolean {
  return a?.text === b?.text && a?.end === b?.end
}

/** Edits that are looked for in this many lines: each may be followed through all of them. */
export function maxEdits(lines: number): number {
  return Math.min(LIMITS.diffEdits, Math.floor(LIMITS.diffSteps / Math.max(1, lines)))
}

function compareMiddle(before: readonly TextLine[], after: readonly TextLine[]): Step[] {
  const key = ({ text, end }: TextLine): string => text + end
  // Lengths that differ by more have more edits than that, without looking.
  const maxEditLength = maxEdits(before.length + after.length)
  const isFar = Math.abs(before.length - after.length) > maxEditLength
  const parts = isFar ? undefined : diffArrays(before.map(key), after.map(key), { maxEditLength })
  if (parts !== undefined)
    return parts.map(({ value, added, removed }) => ({ sign: removed ? '-' : added ? '+' : ' ', count: value.length }))
  // Too different to be worth comparing: all of it out, all of it in.
  return [
    { sign: '-', count: before.length },
    { sign: '+', count: after.length },
  ]
}

/** Only what is shown is made: a change may have millions of lines. */
function show(
  steps: readonly Step[],
  before: readonly TextLine[],
  after: readonly TextLine[],
  { from, to }: Bounds,
): string {
  const rows: (Row | null)[] = []
  let total = 0
  let widest = 1
  let last = -1
  const add = (row: () => Row | null): void => {
    total += 1
    if (rows.length < LIMITS.diffRows) rows.push(row())
  }
  let oldLine = 0
  let newLine = 0
  let start = 0
  for (const [place, { sign, count }] of steps.entries()) {
    const source = sign === '-' ? before : after
    const first = sign === '-' ? oldLine : newLine
    const edges = { before: place > 0, behind: place < steps.length - 1 }
    for (const offset of sign === ' ' ? nearEdges(count, edges) : range(0, count)) {
      const number = first + offset + 1
      if (sign === ' ' && (number <= from || number > to)) continue
      if (last !== -1 && start + offset !== last + 1) add(() => null)
      add(() => ({ sign, number, text: source[number - 1]?.text ?? '' }))
      widest = Math.max(widest, String(number).length)
      last = start + offset
    }
    start += count
    if (sign !== '+') oldLine += count
    if (sign !== '-') newLine += count
  }
  return print(rows, widest, total)
}

function* range(from: number, to: number): Generator<number> {
  for (let at = from; at < to; at += 1) yield at
}

/** Of lines that stay, those next to a change. */
function* nearEdges(count: number, edges: { readonly before: boolean; readonly behind: boolean }): Generator<number> {
  const top = edges.before ? Math.min(LIMITS.diffContextLines, count) : 0
  yield* range(0, top)
  if (edges.behind) yield* range(Math.max(top, count - LIMITS.diffContextLines), count)
}

function print(rows: readonly (Row | null)[], width: number, total: number): string {
  const lines = rows.map((row) =>
    row === null ? `${' '.repeat(width)} ⋮` : ` ${String(row.number).padStart(width)} ${row.sign}│ ${row.text}`,
  )
  const more = total - lines.length
  return more > 0 ? [...lines, ` … and ${more} more lines`].join('\n') : lines.join('\n')
}

/** Source with line numbers, as an editor shows it. `from` is counted from 0. */
export function numberedLines(lines: readonly TextLine[], from: number, count = lines.length): string {
  const width = String(from + count).length
  return lines.map(({ text }, index) => ` ${String(from + index + 1).padStart(width)} │ ${text}`).join('\n')
}
