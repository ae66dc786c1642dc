import type { ApprovalView } from './approvals.ts'
import type { EventWaits } from './event-wait.ts'
import type { AgentView, ChanFlowBlockView } from './http.ts'
import { invalid, type Parsed, valid } from './http.ts'
import { isFields } from './json.ts'
import { LIMITS } from './limits.ts'

/** The last four are for good. `waiting`: for a person who decides. */
export const TURN_STATES = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted'] as const

export type TurnState = (typeof TURN_STATES)[number]

/** What went wrong by itself, as opposed to what somebody ended: one meaning of `failed` for lists, sums and checks. */
export const FAILED_STATES: readonly TurnState[] = ['failed', 'interrupted']

/** The code of a turn, where that says more than its state: what was cut off nobody has cancelled. */
export function tellingCode({
  state,
  code,
}: {
  readonly state: TurnState
  readonly code: string | null
}): string | null {
  const isSame = code?.toLowerCase() === state || (state === 'interrupted' && code === 'CANCELLED')
  return isSame ? null : code
}

/** What an agent may use before its turns are refused. */
export const CAP_NAMES = ['turns_per_hour', 'tokens_per_day', 'cost_per_day', 'minutes_per_day'] as const

export type Caps = { readonly [Name in (typeof CAP_NAMES)[number]]?: number }

/** The session of those who name none. */
export const DEFAULT_SESSION = 'default'

/** What an agent says about the cost of its work; what it does not say is absent. */
export interface TurnUsage {
  readonly input_tokens?: number
  readonly output_tokens?: number
  readonly total_tokens?: number
  readonly cache_read_tokens?: number
  readonly cache_creation_tokens?: number
  readonly reasoning_tokens?: number
  readonly cost_usd?: number
  readonly duration_ms: number
}

/** One block that a step ran. */
export interface StepBlockView extends ChanFlowBlockView {
  /** The first line of what was written. */
  readonly cmd: string
}

/** A text of the agent whose blocks were run; from 1 on. */
export interface TurnStepView {
  readonly index: number
  readonly text: string
  readonly blocks: readonly StepBlockView[]
  readonly duration_ms: number
}

/** A step as it is stored. */
export interface TurnStepDetail extends TurnStepView {
  /** What came of the blocks, as the agent got it; absent of steps that an earlier String has stored. */
  readonly replies?: string
}

/** How a turn ended. */
export interface TurnResultView {
  readonly ok: boolean
  readonly reply: string
  readonly error: string | null
  /** Null where it succeeded: `MAX_STEPS`, `TIMEOUT`, `CANCELLED`, `AGENT_ERROR`, `EXIT_n`… */
  readonly code: string | null
  readonly session_id: string | null
  readonly exit_code: number
  readonly timed_out: boolean
  readonly truncated: boolean
  readonly duration_ms: number
  /** It succeeded, and its agent said nothing at all; absent where it said something. */
  readonly silent?: true
  /** What was ignored of what it said, or had to be ended after it, or what else to know; absent where there is nothing. */
  readonly warnings?: readonly string[]
}

/** A turn in a list. */
export interface TurnSummary {
  readonly turn_id: string
  readonly agent_id: string
  readonly session: string
  readonly from: string
  /** Where the message came from: `person`, or the source of an event. */
  readonly source: string
  readonly event_id: string | null
  readonly request_id: string | null
  /** The beginning of the message. */
  readonly message: string
  readonly state: TurnState
  readonly code: string | null
  /** How many runs of it have failed, plus one. */
  readonly attempt: number
  readonly created_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
  /** When it is tried again. */
  readonly next_at: string | null
  readonly result: TurnResultView | null
  readonly usage: TurnUsage | null
  /** Its runs that failed before this one, oldest first; absent where there were none. */
  readonly tries?: readonly TurnTryView[]
  /** The turn whose message this one gave to its agent again; absent of any other. */
  readonly retry_of?: string
  /** Of a message that was given to its agent again: the last turn that did so, and what has become of it. */
  readonly retried_by?: TurnRetryView
}

/** A turn that repeats another. */
export interface TurnRetryView {
  readonly turn_id: string
  readonly state: TurnState
  readonly code: string | null
}

/** A run of a turn that failed, or of an event was cut off, and was followed by another. */
export interface TurnTryView {
  readonly ended_at: string
  readonly code: string | null
  /** The line of its standard error that tells most, else what was wrong. */
  readonly reason: string
  /** Which try of an event it was; absent of a message, and of one that an earlier String has stored. */
  readonly attempt?: number
}

/** How a run goes that is not over, as far as this node can tell. */
export interface TurnProgress {
  /** When its agent printed something last, or was started. */
  readonly heard_at: string
  /** When it is ended for its time; null while a person decides, in which no time passes. */
  readonly ends_at: string | null
  /** The key of its profile that says so, and what stands there. */
  readonly ends_by: 'timeout_secs' | 'turn_timeout_secs'
  readonly ends_secs: number
  /** The last line of its standard error, secrets hidden. */
  readonly stderr_line: string | null
  /** The same of its standard output, without partials; absent from an older daemon. */
  readonly stdout_line?: string | null
}

/** Answer of `GET /turns/:id`. */
export interface TurnView extends TurnSummary {
  readonly steps: readonly TurnStepDetail[]
  /** The text so far. */
  readonly partial: string
  /** The end of standard error, secrets hidden. */
  readonly stderr: string
  /** What it asked a person, and what became of that. */
  readonly approvals: readonly ApprovalView[]
  /** Where several nodes share a store: the one that ran it last. */
  readonly node?: string
  /** Runs of which nobody saw the end, because their node was lost. */
  readonly lost_runs?: readonly LostRunView[]
  /** While it runs on the node that is asked. */
  readonly progress?: TurnProgress
  /** With `progress`: the end of what its process has printed so far, secrets hidden, without partials. */
  readonly stdout?: string
}

export interface LostRunView {
  readonly node: string
  readonly started_at: string
  readonly found_at: string
}

/** A conversation with an agent. */
export interface AgentSessionView {
  readonly session: string
  /** What the agent calls it itself. */
  readonly session_id: string | null
  readonly used_at: string
}

/** What the stream of a turn says. */
export type TurnEvent =
  | { readonly type: 'queued'; readonly turn_id: string; readonly position: number }
  | { readonly type: 'start'; readonly turn_id: string }
  | { readonly type: 'partial'; readonly text: string }
  | ({ readonly type: 'step' } & TurnStepView)
  /** A question to a person was asked, or is decided. */
  | ({ readonly type: 'approval' } & ApprovalView)
  /** `state` tells whether somebody cancelled it, or it was cut off. Of one that failed, a client adds what to do about it. */
  | ({ readonly type: 'result'; readonly state: TurnState; readonly next?: string } & TurnResultView)

export interface TurnAttachment {
  readonly type: 'image' | 'file' | 'audio' | 'video'
  readonly url: string
  readonly name: string | null
}

/** Body of `POST /agents/:id/turns`. */
export interface TurnAsked {
  readonly message: string
  readonly session: string
  readonly from: string
  readonly attachments: readonly TurnAttachment[]
  readonly requestId: string | null
}

/** Sums over turns that have ended. */
export interface UsageView {
  readonly agent_id?: string
  readonly session?: string
  /** `2026-03-19`, by the calendar of the daemon. */
  readonly day?: string
  readonly turns: number
  /** Those in one of `FAILED_STATES`. */
  readonly failed: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly total_tokens: number
  readonly cost_usd: number
  readonly duration_ms: number
}

/** `waiting`: for a person who decides. `failing`: its last turn failed. */
export type AgentState = 'idle' | 'running' | 'waiting' | 'failing'

/** A turn that runs, in the row of its agent. */
export interface TurnBrief {
  readonly turn_id: string
  readonly session: string
  readonly state: TurnState
  /** When it began. */
  readonly since: string
  /** The beginning of the message. */
  readonly message: string
  /** Of one agent alone, where it runs on the node that is asked. */
  readonly progress?: TurnProgress
}

/** What an agent does now. */
export interface AgentWork {
  readonly state: AgentState
  /** No event wakes it. */
  readonly paused: boolean
  readonly has_profile: boolean
  /** Turns that run, and that wait for their time. */
  readonly running: number
  readonly waiting: number
  /** The one that runs longest. */
  readonly turn: TurnBrief | null
  readonly last_turn: {
    readonly turn_id: string
    readonly state: TurnState
    readonly code: string | null
    readonly ended_at: string | null
    /** How many runs of it have failed since it was run by hand last, plus one; absent from an older daemon. */
    readonly attempt?: number
    /** How many runs of it failed before the last, as its `tries` tell; absent from an older daemon. */
    readonly failed_tries?: number
  } | null
  /** When its last turn ended; null while one runs, and where there was none. */
  readonly silent_since: string | null
  /** Counted up to 100. */
  readonly pending_events: number
  /** Questions that wait for a person. */
  readonly approvals: number
}

/** A row of `GET /agents`. */
export interface AgentRow extends AgentView, AgentWork {
  /** Where it lives, where that was asked for. */
  readonly node?: string
}

/** How many of them failed by themselves: what somebody cancelled is a try, and no failure. */
export function failedTries(tries: readonly TurnTryView[] = []): number {
  return tries.filter(({ code }) => code !== 'CANCELLED').length
}

/** In which order agents are listed, where it is not that in which they were registered. */
export const AGENT_ORDERS = ['state', 'name'] as const
/** What a list of agents can be narrowed to. */
export const AGENT_FILTERS = ['waiting', 'running', 'failing', 'idle', 'paused'] as const

export type AgentOrder = (typeof AGENT_ORDERS)[number]
export type AgentFilter = (typeof AGENT_FILTERS)[number]

/** How many agents there are, and how many are so. One that is paused is counted by its state, too. */
export type AgentCounts = Readonly<Record<'all' | AgentFilter, number>>

/** Answer of `GET /overview`: what runs, what waits for a person and what went wrong. */
export interface OverviewView {
  /** That was asked. */
  readonly node: string
  readonly agents: AgentCounts
  /** Questions that wait for a person; null while the store is away. */
  readonly approvals: number | null
  /** Events that wait; of each agent counted up to 100. */
  readonly pending_events: number
  /** A few of those that run, the longest first. */
  readonly running: readonly AgentRow[]
  /** A few of those questions, the oldest first. */
  readonly waiting: readonly ApprovalView[]
  /** A few of those that failed, the last first. */
  readonly failing: readonly AgentRow[]
}

/** A limit that is used up. */
export interface LimitView {
  readonly what: string
  /** When it can be asked again. */
  readonly until: string
}

/** How much is used of a limit. */
export interface LimitUse {
  readonly name: (typeof CAP_NAMES)[number]
  readonly used: number
  readonly most: number
  /** When it can be asked again; null while something is left. */
  readonly opens_at: string | null
}

/** Answer of `GET /agents/:id`: the agent, and what it does now. */
export interface AgentActivity extends AgentRow {
  readonly wake: 'events' | null
  /** Why it cannot take a turn. */
  readonly problem: string | null
  /** What to know about its profile, which can be used all the same. */
  readonly warnings?: readonly string[]
  /** Which limit it has used up, so that it takes none until then. */
  readonly limit: LimitView | null
  /** How much it has used of each limit that holds for it; empty of an agent of another node. */
  readonly limits: readonly LimitUse[]
  /** Why its events wait, one entry for each reason. */
  readonly event_waits: readonly EventWaits[]
}

/** Answer of `POST /agents/:id/pause`, `resume`, `start` and `stop`. */
export interface AgentStanding {
  readonly agent_id: string
  readonly paused: boolean
  /** Turns that were ended or dropped. */
  readonly cancelled: number
}

/** What `GET /usage` sums by. */
export const USAGE_GROUPS = ['agent', 'session', 'day'] as const

export type UsageGroup = (typeof USAGE_GROUPS)[number]

export function parseTurnRequest(body: unknown): Parsed<TurnAsked> {
  if (!isFields(body)) return invalid('Invalid JSON body — expected { "message": "..." }')
  const { message = '', session = '', from = '', attachments = [], request_id = null } = body
  if (typeof message !== 'string') return invalid('"message" must be a string')
  if (typeof session !== 'string' || session.length > LIMITS.sessionNameChars)
    return invalid(`"session" must be a string of at most ${LIMITS.sessionNameChars} characters`)
  if (typeof from !== 'string' || from.length > LIMITS.sessionNameChars)
    return invalid(`"from" must be a string of at most ${LIMITS.sessionNameChars} characters`)
  if (request_id !== null && (typeof request_id !== 'string' || !isRequestId(request_id)))
    return invalid(`"request_id" must be a string of 1 to ${LIMITS.eventKeyChars} characters`)
  const files = parseAttachments(attachments)
  if (!files.ok) return files
  if ([message, session, from, request_id ?? ''].some((text) => text.includes('\0') || !text.isWellFormed()))
    return invalid('A text holds a NUL or half a character, which no program can be given')
  if (message === '' && files.value.length === 0)
    return invalid(body.message === undefined ? '"message" is missing' : '"message" must not be empty')
  return valid({ message, session, from, attachments: files.value, requestId: request_id })
}

function isRequestId(text: string): boolean {
  return text !== '' && text.length <= LIMITS.eventKeyChars
}

const ATTACHMENT_TYPES = ['image', 'file', 'audio', 'video'] as const satisfies TurnAttachment['type'][]

function isAttachmentType(value: unknown): value is TurnAttachment['type'] {
  return ATTACHMENT_TYPES.some((type) => type === value)
}

/** What is wrong with one is told by its place in the list and its field. */
export function parseAttachments(value: unknown): Parsed<readonly TurnAttachment[]> {
  if (!Array.isArray(value)) return invalid('"attachments" must be a list')
  if (value.length > LIMITS.turnAttachments) return invalid(`"attachments" has more than ${LIMITS.turnAttachments}`)
  const found: TurnAttachment[] = []
  for (const [index, each] of value.entries()) {
    const read = parseAttachment(each, `attachments[${index}]`)
    if (!read.ok) return read
    found.push(read.value)
  }
  return valid(found)
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function parseAttachment(value: unknown, at: string): Parsed<TurnAttachment> {
  if (!isFields(value)) return invalid(`"${at}" must be { "type", "url", "name"? }`)
  const { type, url, name = null } = value
  if (!isAttachmentType(type)) return invalid(`"${at}.type" must be ${listed(ATTACHMENT_TYPES)}`)
  if (typeof url !== 'string' || url === '') return invalid(`"${at}.url" must be a string that is not empty`)
  if (name !== null && typeof name !== 'string') return invalid(`"${at}.name" must be a string`)
  const odd = Object.entries({ url, name }).find(
    ([, text]) => text !== null && (text.includes('\0') || !text.isWellFormed()),
  )
  if (odd !== undefined) return invalid(`"${at}.${odd[0]}" holds a NUL or half a character`)
  return valid({ type, url, name })
}

/** Why a turn ended of which nothing is kept, nor of its agent. */
export const AGENT_REMOVED = 'its agent was removed (string agent remove)'
