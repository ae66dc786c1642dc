import { type DeliveryView, type InboxItem, type LogEntry, shortId, type TurnSummary } from '@string-os/protocol'
import { clockTime, shownSpan } from '../turns/time.ts'
import { hasFailed, whyItFailed } from '../turns/turn-reason.ts'
import { stateCell } from '../turns/turn-table.ts'

/** One thing that happened. */
export interface TimelineEntry {
  readonly time: string
  readonly kind: 'turn' | 'event' | 'delivery' | 'log'
  readonly agent: string | null
  readonly id: string | null
  readonly state: string
  readonly isFailure: boolean
  /** What it was, in a few words. */
  readonly text: string
  /** Why it failed; or what it was about. */
  readonly reason: string | null
  /** Of a turn, what it was asked. */
  readonly message: string | null
  /** Differs from that of everything else that happened. */
  readonly key: string
}

/** A turn stands where it ended; one that has not, where it began. */
export function turnEntry(turn: TurnSummary): TimelineEntry {
  const { turn_id, agent_id, state, attempt, created_at, started_at, ended_at, next_at } = turn
  const isFailure = hasFailed(turn)
  const took =
    started_at === null || ended_at === null ? '' : ` after ${shownSpan(Date.parse(ended_at) - Date.parse(started_at))}`
  const again =
    state === 'queued' && next_at !== null && attempt > 1 ? `, tried again at ${clockTime(next_at, Date.now())}` : ''
  return {
    time: ended_at ?? started_at ?? created_at,
    kind: 'turn',
    agent: agent_id,
    id: turn_id,
    state,
    isFailure,
    text: `turn ${shortId(turn_id)} ${stateCell(turn)}${took}${again}`,
    reason: isFailure ? whyItFailed(turn) : turn.message,
    message: turn.message,
    key: `turn ${turn_id} ${state} ${attempt}`,
  }
}

/** What became of it is told by its turn. */
export function eventEntry({ id, agent_id, received_at, source, state, text }: InboxItem): TimelineEntry {
  return {
    time: received_at,
    kind: 'event',
    agent: agent_id,
    id,
    state,
    isFailure: false,
    text: `event from ${source}${state === 'pending' ? ', not acknowledged yet' : ''}`,
    reason: text,
    message: null,
    key: `event ${id}`,
  }
}

export function deliveryEntry(delivery: DeliveryView): TimelineEntry {
  const { id, agent_id, channel, target, state, tries, created_at, reason } = delivery
  const counted = tries > 1 ? ` after ${tries} tries` : ''
  return {
    time: created_at,
    kind: 'delivery',
    agent: agent_id,
    id,
    state,
    isFailure: state === 'failed' || (state === 'waiting' && reason !== null),
    text: `message to ${channel}:${target} ${state}${counted}`,
    reason,
    message: null,
    key: `delivery ${id} ${state} ${tries}`,
  }
}

/** Told by the list of deliveries. */
const TOLD_ELSEWHERE: readonly string[] = ['A delivery failed']
/** Of what is not urgent, what divides one run of the daemon from the next. */
const LANDMARKS: readonly string[] = ['stringd is ready', 'stringd has stopped']

/** Null for what a person need not know. */
export function logEntry({ time, level, message, fields }: LogEntry): TimelineEntry | null {
  const isUrgent = level === 'warn' || level === 'error'
  if (TOLD_ELSEWHERE.includes(message) || !(isUrgent || LANDMARKS.includes(message))) return null
  const { agent, turn, cause, reason, version } = fields
  const why = [reason, cause].find((each) => typeof each === 'string' && each !== '')
  return {
    time,
    kind: 'log',
    agent: typeof agent === 'string' ? agent : null,
    id: typeof turn === 'string' ? turn : null,
    state: level,
    isFailure: isUrgent,
    text: isUrgent ? `daemon: ${message}` : `${message}${typeof version === 'string' ? ` (${version})` : ''}`,
    reason: typeof why === 'string' ? why : null,
    message: null,
    key: `log ${time} ${message} ${JSON.stringify(fields)}`,
  }
}
