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

type Row = { readonly sign: ' ' | '-' | '+'; readonly number: number; readonly text: string }

const CONTEXT = 2
const MAX_EDITS = 500
const MAX_ROWS = 400

/** What changed from one text to another, with two lines of context that stop at `bounds`. */
export function diffLines(before: readonly TextLine[], after: readonly TextLine[], bounds: Bounds): LineDiff {
  const rows = compare(before, after)
  const added = rows.filter(({ sign }) => sign === '+').length
  const removed = rows.filter(({ sign }) => sign === '-').length
  if (added + removed === 0) return { added, removed, text: '' }
  return { added, removed, text: show(withContext(rows, bounds)) }
}

/** Every line of both texts in order. Lines at both ends that are equal are not compared with all the others. */
function compare(before: readonly TextLine[], after: readonly TextLine[]): Row[] {
  const old = before.map(({ text, end }) => text + end)
  const next = after.map(({ text, end }) => text + end)
  let head = 0
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1
  let tail = 0
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1
  const kept = (from: number, to: number): Row[] =>
    after.slice(from, to).map(({ text }, index) => ({ sign: ' ', number: from + index + 1, text }))
  const middle = compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head)
  return [...kept(0, head), ...middle, ...kept(after.length - tail, after.length)]
}

function compareMiddle(before: readonly TextLine[], after: readonly TextLine[], offset: number): Row[] {
  const key = ({ text, end }: TextLine): string => text + end
  const parts = diffArrays(before.map(key), after.map(key), { maxEditLength: MAX_EDITS })
  // Too different to be worth comparing: all of it out, all of it in.
  const steps = parts ?? [
    { value: before.map(key), removed: true, added: false },
    { value: after.map(key), removed: false, added: true },
  ]
  const rows: Row[] = []
  let oldLine = offset
  let newLine = offset
  for (const { value, added, removed } of steps) {
    for (const line of value) {
      const text = line.replace(/\r?\n$/, '')
      if (!added) oldLine += 1
      if (!removed) newLine += 1
      rows.push({ sign: removed ? '-' : added ? '+' : ' ', number: removed ? oldLine : newLine, text })
    }
  }
  return rows
}

/** The changed rows with what stands around them; null where rows were left out. */
function withContext(rows: readonly Row[], { from, to }: Bounds): (Row | null)[] {
  const wanted = new Set<number>()
  for (const [index, { sign }] of rows.entries()) {
    if (sign === ' ') continue
    for (let near = index - CONTEXT; near <= index + CONTEXT; near += 1) wanted.add(near)
  }
  const shown: (Row | null)[] = []
  let last = -1
  for (const [index, row] of rows.entries()) {
    const inBounds = row.sign !== ' ' || (row.number > from && row.number <= to)
    if (!wanted.has(index) || !inBounds) continue
    if (last !== -1 && index !== last + 1) shown.push(null)
    shown.push(row)
    last = index
  }
  return shown
}

function show(rows: readonly (Row | null)[]): string {
  const width = Math.max(...rows.map((row) => String(row?.number ?? 0).length))
  const lines = rows
    .slice(0, MAX_ROWS)
    .map((row) =>
      row === null ? `${' '.repeat(width)} ⋮` : ` ${String(row.number).padStart(width)} ${row.sign}│ ${row.text}`,
    )
  const more = rows.length - lines.length
  return more > 0 ? [...lines, ` … and ${more} more lines`].join('\n') : lines.join('\n')
}

/** Source with line numbers, as an editor shows it. `from` is counted from 0. */
export function numberedLines(lines: readonly TextLine[], from: number): string {
  const width = String(from + lines.length).length
  return lines.map(({ text }, index) => ` ${String(from + index + 1).padStart(width)} │ ${text}`).join('\n')
}
