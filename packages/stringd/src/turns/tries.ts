import { LIMITS, type TurnResultView, type TurnTryView, tellingReason, truncate } from '@string-os/protocol'
import type { TurnRow } from '../store/groups/turns.ts'

interface FailedRun {
  readonly result: Pick<TurnResultView, 'code' | 'error' | 'exit_code' | 'reply'>
  readonly stderr: string
  readonly endedAt: string
  readonly attempt: number
}

/** The failed runs of a turn with one more; of many, the latest. */
export function withTry(tries: readonly TurnTryView[], { result, stderr, endedAt, attempt }: FailedRun): TurnTryView[] {
  const { code, error, exit_code, reply } = result
  const said = tellingReason({ code, error, stderr, said: reply }) ?? `exit code ${exit_code}`
  const failed = { ended_at: endedAt, code, reason: truncate(said, LIMITS.turnTryChars), attempt }
  return [...tries, failed].slice(-LIMITS.turnTries)
}

/** A turn of an event that waits although it has been begun, and did not fail: its run was cut off. Null for every other. */
export function cutOffBefore(turn: TurnRow): TurnRow | null {
  const { eventId, state, startedAt, code } = turn
  return eventId !== null && state === 'queued' && startedAt !== null && code === null ? turn : null
}

/** It counts as no try, and may have done something all the same. When it ended is known as well as when that was found. */
export function cutOffRun({ nextAt, attempt }: TurnRow, stderr: string): FailedRun {
  const error = 'It was cut off: the daemon ended, or lost its store, while it ran.'
  return { result: { code: 'CANCELLED', error, exit_code: 130, reply: '' }, stderr, endedAt: nextAt, attempt }
}
