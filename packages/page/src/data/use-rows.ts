import { useState } from 'preact/hooks'
import type { Change } from '../live/frame.ts'
import type { Answer } from './answer.ts'
import { PAGE_ROWS, type Span } from './calls.ts'
import { type Loaded, useLoaded } from './use-loaded.ts'
import { type ListOf, loadWindow, type Window } from './window.ts'

export interface Rows<T> extends Loaded<readonly T[]> {
  readonly hasMore: boolean
  readonly more: () => void
  /** They are those of the choice before; the ones that are wanted are being loaded. */
  readonly isBefore: boolean
}

interface Listed<T> extends ListOf<T> {
  readonly list: (span: Span) => Promise<Answer<T[]>>
  readonly concerns: (change: Change) => boolean
  /** Another key is another choice from the same list: its rows stay until the others are there, so that none is taken away under a click. */
  readonly isChoice?: true
}

/** A window over a list that is longer than anybody wants to load: its first rows, and more of them on demand. */
export function useRows<T>(key: string, listed: Listed<T>, pageRows = PAGE_ROWS): Rows<T> {
  const [wanted, setWanted] = useState({ key, rows: pageRows })
  const rows = wanted.key === key ? wanted.rows : pageRows
  const loaded = useLoaded<Window<T>>(`${key} ${rows}`, () => loadWindow(listed, rows), listed.concerns)
  const [before, setBefore] = useState<{ key: string; value: Window<T> } | null>(null)
  if (loaded.value !== null && before?.value !== loaded.value) setBefore({ key, value: loaded.value })
  // While more is loaded, what was there stays.
  const stays = before?.key === key || (listed.isChoice === true && loaded.refusal === null)
  const staying = stays ? before : null
  const shown = loaded.value ?? staying?.value ?? null
  return {
    ...loaded,
    value: shown?.rows ?? null,
    hasMore: shown?.hasMore === true,
    more: () => setWanted({ key, rows: rows + pageRows }),
    isBefore: loaded.value === null && staying !== null && staying.key !== key,
  }
}
