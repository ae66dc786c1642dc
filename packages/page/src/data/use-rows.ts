import { useState } from 'preact/hooks'
import type { Change } from '../live/frame.ts'
import type { Answer } from './answer.ts'
import { PAGE_ROWS, type Span } from './calls.ts'
import { type Loaded, useLoaded } from './use-loaded.ts'

/** The most that one request is answered with. */
const REQUEST_ROWS = 200

export interface Rows<T> extends Loaded<readonly T[]> {
  readonly hasMore: boolean
  readonly more: () => void
}

interface Listed<T> {
  readonly list: (span: Span) => Promise<Answer<T[]>>
  readonly idOf: (row: T) => string
  readonly concerns: (change: Change) => boolean
}

/** A window over a list that is longer than anybody wants to load: the newest rows, and more of them on demand. */
export function useRows<T>(key: string, { list, idOf, concerns }: Listed<T>, pageRows = PAGE_ROWS): Rows<T> {
  const [wanted, setWanted] = useState({ key, rows: pageRows })
  const rows = wanted.key === key ? wanted.rows : pageRows
  const loaded = useLoaded<readonly T[]>(`${key} ${rows}`, () => window(list, idOf, rows), concerns)
  const [before, setBefore] = useState<{ key: string; value: readonly T[] } | null>(null)
  if (loaded.value !== null && before?.value !== loaded.value) setBefore({ key, value: loaded.value })
  // While more is loaded, what was there stays.
  const value = loaded.value ?? (before?.key === key ? before.value : null)
  const hasMore = value !== null && value.length >= rows
  return { ...loaded, value, hasMore, more: () => setWanted({ key, rows: rows + pageRows }) }
}

async function window<T>(
  list: Listed<T>['list'],
  idOf: Listed<T>['idOf'],
  rows: number,
): Promise<Answer<readonly T[]>> {
  const found: T[] = []
  while (found.length < rows) {
    const last = found.at(-1)
    const limit = Math.min(rows - found.length, REQUEST_ROWS)
    const answer = await list({ limit, ...(last === undefined ? {} : { before: idOf(last) }) })
    if (!answer.ok) return answer
    found.push(...answer.value)
    if (answer.value.length < limit) break
  }
  return { ok: true, value: found }
}
