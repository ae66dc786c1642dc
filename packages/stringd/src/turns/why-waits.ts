import { type EventWait, type EventWaits, FAILED_STATES } from '@string-os/protocol'
import type { TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import type { Reached } from './caps.ts'

/** An event that nobody has dealt with, and the turn that it became. */
export interface PendingEvent {
  readonly id: string
  readonly turn: Pick<TurnRow, 'id' | 'state' | 'attempt' | 'nextAt'> | null
}

/** What decides about the events of an agent. */
export interface WakeSituation {
  readonly wake: 'events' | null
  /** Why it cannot take a turn. */
  readonly problem: string | null
  readonly paused: boolean
  readonly limit: Reached | null
  /** The event up to which all have become turns; null where none was looked at yet. */
  readonly mark: string | null
}

/** Why an event waits. Without a situation, which only its own node knows, what its turn tells; null: that tells nothing. */
export function whyWaits({ id, turn }: PendingEvent, situation: WakeSituation | null): EventWait | null {
  const said = (reason: EventWait['reason'], until: string | null = null): EventWait => ({
    reason,
    until,
    turn_id: turn?.id ?? null,
    tries: turn?.attempt ?? 0,
  })
  if (turn?.state === 'running' || turn?.state === 'waiting') return said('running')
  if (turn?.state === 'cancelled') return said('cancelled')
  if (turn !== null && FAILED_STATES.includes(turn.state)) return said('given_up')
  if (situation === null) return null
  const { wake, problem, paused, limit, mark } = situation
  const isTaken = turn?.state === 'queued'
  if (!isTaken && problem === null && wake === null) return said('reader')
  if (!isTaken && mark !== null && id <= mark) return said('passed')
  if (problem !== null) return said('broken')
  if (paused) return said('paused')
  if (limit !== null) return said('limit', isoTime(limit.opensAt))
  return said('queued', isTaken && turn.attempt > 1 ? turn.nextAt : null)
}

/** The same of many, newest first: one entry for each reason. */
export function waitsByReason(pending: readonly PendingEvent[], situation: WakeSituation | null): EventWaits[] {
  const found = new Map<string, EventWaits>()
  for (const event of pending) {
    const wait = whyWaits(event, situation)
    if (wait === null) continue
    const known = found.get(wait.reason)
    found.set(wait.reason, { ...(known ?? { ...wait, event_id: event.id }), events: (known?.events ?? 0) + 1 })
  }
  return [...found.values()]
}
