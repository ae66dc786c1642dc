import type { TurnProgress } from '@string-os/protocol'
import { clockTime, shownSpan } from './time.ts'

/** Since when a run says nothing, and when it is ended: what a person looks for who thinks that it hangs. */
export function progressFacts(
  { heard_at, ends_at, ends_by, ends_secs }: TurnProgress,
  now: number,
): [string, string][] {
  const ends = ends_at === null ? 'not while a person decides' : `at ${clockTime(ends_at, now)}`
  return [
    ['silent for', shownSpan(Math.max(0, now - Date.parse(heard_at)))],
    ['ends', `${ends} (${ends_by} ${ends_secs})`],
  ]
}
