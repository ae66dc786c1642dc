import {
  type DeliveryView,
  type InboxItem,
  LIMITS,
  type LogEntry,
  shortId,
  type TurnSummary,
  type TurnTryView,
  tellingCode,
} from '@string-os/protocol'
import { clockTime, shownSpan } from '../turns/time.ts'
import { failureText, hasFailed, retriedText, whyItEnded, whyItFailed } from '../turns/turn-reason.ts'
import { stateCell, warnedText } from '../turns/turn-table.ts'

/** One thing that happened. */
export interface TimelineEntry {
  readonly time: string
  readonly kind: 'turn' | 'event' | 'delivery' | 'log'
  readonly agent: string | null
  readonly id: string | null
  readonly state: string
  readonly isFailure: boolean
  /** Of a turn that is not over. */
  readonly isOpen?: boolean
  /** Of a run that failed: the reason is that which its agent gave. */
  readonly isTold?: boolean
  /** What it was, in a few words. */
  readonly text: string
  /** Why it failed; or what it was about. */
  readonly reason: string | null
  /** Of a turn, what it was asked. */
  readonly message: string | null
  /** Differs from that of everything else that happened. */
  readonly key: string
}

/** A turn, and each of its runs that failed before, where that ended: what has happened stays told, whatever comes of it. */
export function turnEntries(turn: TurnSummary): TimelineEntry[] {
  const { state, tries = [] } = turn
  const failed = tries.map((tried) => tryEntry(turn, tried))
  const last = failed.at(-1)
  if (state !== 'queued' || last === undefined) return [...failed, turnEntry(turn)]
  // One that waits for its next run has nothing else to tell.
  return [...failed.slice(0, -1), { ...last, text: `${last.text}${tryAgain(turn)}` }]
}

function tryEntry(turn: TurnSummary, { ended_at, code, reason, attempt }: TurnTryView): TimelineEntry {
  const { turn_id, event_id } = turn
  const why = tellingCode({ state: 'failed', code })
  const counted = event_id === null || attempt === undefined ? '' : ` ${tryOf(attempt)}`
  return {
    ...turnEntry(turn),
    time: ended_at,
    state: 'failed',
    isFailure: true,
    isOpen: false,
    isTold: true,
    text: `turn ${shortId(turn_id)} failed${why === null ? '' : ` ${why}`}${counted}`,
    reason,
    key: endKey(turn_id, ended_at),
  }
}

function tryOf(attempt: number): string {
  return `try ${attempt} of ${LIMITS.wakeRuns}`
}

function tryAgain({ next_at }: TurnSummary): string {
  return next_at === null ? '' : `, tried again at ${clockTime(next_at, Date.now())}`
}

/** The end of a run is one thing, also when the turn has gone on since. */
function endKey(turnId: string, endedAt: string): string {
  return `turn ${turnId} ended ${endedAt}`
}

/** A turn stands where it ended; one that has not, where it began. */
export function turnEntry(turn: TurnSummary): TimelineEntry {
  const { turn_id, agent_id, state, attempt, created_at, started_at, ended_at } = turn
  const isFailure = hasFailed(turn)
  const took =
    started_at === null || ended_at === null ? '' : ` in ${shownSpan(Date.parse(ended_at) - Date.parse(started_at))}`
  const again = state === 'queued' && attempt > 1 ? tryAgain(turn) : ''
  const warned = warnedText(turn)
  const retried = retriedText(turn)
  return {
    time: ended_at ?? started_at ?? created_at,
    kind: 'turn',
    agent: agent_id,
    id: turn_id,
    state,
    isFailure,
    isOpen: ended_at === null,
    text: `turn ${shortId(turn_id)} ${stateCell(turn)}${took}${again}${warned}${retried === null ? '' : `, ${retried}`}`,
    reason: isFailure ? whyItFailed(turn) : (whyItEnded(turn) ?? turn.message),
    message: turn.message,
    key: ended_at === null ? `turn ${turn_id} ${state} ${attempt}` : endKey(turn_id, ended_at),
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

/** The code under which something was refused; of more of the same, how many since when. */
function refusal({ code, count = 1, first }: LogEntry['fields']): string {
  const more = typeof first === 'string' ? `, ${count} more since ${clockTime(first, Date.now())}` : ''
  const often = more === '' && typeof count === 'number' && count > 1 ? `, ${count} times` : more
  return typeof code === 'string' ? `: ${code}${often}` : ''
}

/** Null for what a person need not know. */
export function logEntry({ time, level, message, fields }: LogEntry): TimelineEntry | null {
  const isUrgent = level === 'warn' || level === 'error'
  if (TOLD_ELSEWHERE.includes(message) || !(isUrgent || LANDMARKS.includes(message))) return null
  const { agent, turn, cause, reason, version, code, last } = fields
  const why = [reason, cause].find((each) => typeof each === 'string' && each !== '')
  return {
    // What was told together happened until then, not when it was written.
    time: typeof last === 'string' ? last : time,
    kind: 'log',
    agent: typeof agent === 'string' ? agent : null,
    id: typeof turn === 'string' ? turn : null,
    state: level,
    isFailure: isUrgent,
    text: isUrgent
      ? `daemon: ${message}${refusal(fields)}`
      : `${message}${typeof version === 'string' ? ` (${version})` : ''}`,
    reason: typeof why === 'string' ? failureText({ error: why, code: typeof code === 'string' ? code : null }) : null,
    message: null,
    key: `log ${time} ${message} ${JSON.stringify(fields)}`,
  }
}
