import {
  type ApprovalView,
  LIMITS,
  type TurnProgress,
  type TurnResultView,
  type TurnSummary,
  type TurnTryView,
  type TurnView,
  truncate,
} from '@string-os/protocol'
import type { TurnDetail, TurnRow } from '../store/groups/turns.ts'
import { DIED, endedResult } from './after-run.ts'
import type { LiveTurn } from './live-turn.ts'

export const NO_DETAIL: TurnDetail = { steps: [], partial: '', stderr: '' }

/** What a turn does not know of itself: its runs that failed before, and the turn by which its message was given to the agent again. */
export interface Besides {
  readonly tries?: readonly TurnTryView[] | undefined
  readonly retry?: TurnRow | null
}

/** A turn as clients see it in a list. */
export function summaryOf(turn: TurnRow, { tries = [], retry = null }: Besides = {}): TurnSummary {
  return {
    turn_id: turn.id,
    agent_id: turn.agentId,
    session: turn.session,
    from: turn.from,
    source: turn.source,
    event_id: turn.eventId,
    request_id: turn.requestId,
    message: truncate(turn.message, LIMITS.turnPreviewChars),
    state: turn.state,
    code: turn.code,
    attempt: turn.attempt,
    created_at: turn.createdAt,
    started_at: turn.startedAt,
    ended_at: turn.endedAt,
    next_at: turn.state === 'queued' && turn.attempt > 1 ? turn.nextAt : null,
    result: turn.result ?? (turn.state === 'interrupted' ? diedResult(turn) : null),
    usage: turn.usage,
    ...(tries.length === 0 ? {} : { tries }),
    ...(turn.retryOf === null ? {} : { retry_of: turn.retryOf }),
    ...(retry === null ? {} : { retried_by: { turn_id: retry.id, state: retry.state, code: retry.code } }),
  }
}

function diedResult({ startedAt, endedAt }: TurnRow): TurnResultView {
  const ranMs = startedAt === null || endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt)
  return endedResult('CANCELLED', DIED, Math.max(0, ranMs))
}

/** Of one that runs here, how. */
export function progressOf({ turn, progress }: LiveTurn): { progress?: TurnProgress } {
  const isRunning = turn.state === 'running' || turn.state === 'waiting'
  return isRunning && progress !== null ? { progress: progress.view(turn.state) } : {}
}

/** Of one that runs here, what its process has printed that nobody has heard. */
export function printedBy({ progress }: LiveTurn): { stdout?: string } {
  return progress === null ? {} : { stdout: progress.stdout }
}

export function viewTurn(
  turn: TurnRow,
  detail: TurnDetail,
  approvals: readonly ApprovalView[],
  retry: TurnRow | null = null,
): TurnView {
  return { ...summaryOf(turn, { retry }), message: turn.message, ...detail, approvals }
}
