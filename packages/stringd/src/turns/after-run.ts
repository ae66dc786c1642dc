import { LIMITS, type TurnResultView } from '@string-os/protocol'
import type { TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import { isCancel, whileItRan } from './cancelled.ts'
import type { AgentEnd, EndReason } from './run-agent.ts'

/** Nobody cancelled it: whoever reads this may run it again. */
export const CUT_OFF = 'The daemon was stopped while the turn ran.'
/** The same where it could not say so itself: when that was is known as well as its lease was renewed. */
export const DIED = `The daemon died while the turn ran. When it ended is known to within ${LIMITS.leaseRenewMs / 1_000} s.`
const LOST = 'The turn was ended because the store could not be reached in time.'

/** What becomes of a turn whose run is over. An event's message waits for its next run, as long as it has any. */
export function afterRun(
  turn: TurnRow,
  { result, usage }: AgentEnd,
  endReason: EndReason | null,
  now: number,
): TurnRow {
  const over = { ...turn, code: result.code, result, usage, endedAt: isoTime(now) }
  if (result.ok) return { ...over, state: 'done' }
  const isEvent = turn.eventId !== null
  const isEnded = result.code === 'CANCELLED'
  // What was cut off, by the daemon or because the store was away, is no failure of the agent.
  if (isEnded && !isCancel(endReason))
    return isEvent
      ? waits(turn, turn.attempt, now, null)
      : { ...over, state: 'interrupted', result: { ...result, error: endReason === 'lost' ? LOST : CUT_OFF } }
  // Whoever cancelled does not want it again, also where it failed by itself in that moment.
  if (isEnded && isCancel(endReason))
    return { ...over, state: 'cancelled', result: { ...result, error: whileItRan(endReason) } }
  if (isEvent && isCancel(endReason)) return { ...over, state: 'cancelled' }
  if (isEvent && turn.attempt < LIMITS.wakeRuns)
    return waits(turn, turn.attempt + 1, now + pauseAfter(turn.attempt), result.code)
  return { ...over, state: 'failed' }
}

function waits(turn: TurnRow, attempt: number, nextAt: number, code: string | null): TurnRow {
  return { ...turn, state: 'queued', attempt, nextAt: isoTime(nextAt), code }
}

function pauseAfter(attempt: number): number {
  return attempt === 1 ? LIMITS.wakeFirstPauseMs : LIMITS.wakePauseMs
}

/** That of a turn whose event was acknowledged or removed while it waited. */
export const EVENT_OVER = endedResult('CANCELLED', 'The event was dealt with before the turn began.')

/** The result of a turn that never ran, or whose run nobody saw the end of. */
export function endedResult(code: string, error: string, durationMs = 0): TurnResultView {
  return {
    ok: false,
    reply: '',
    error,
    code,
    session_id: null,
    exit_code: code === 'CANCELLED' ? 130 : 1,
    timed_out: false,
    truncated: false,
    duration_ms: durationMs,
  }
}
