import { isAgentId } from './agent-id.ts'
import type { EventWait } from './event-wait.ts'
import { type Fields, isFields } from './json.ts'
import { LIMITS } from './limits.ts'
import { nearest } from './nearest.ts'
import { type Pagers, parsePagers } from './pagers.ts'
import type { Data } from './result.ts'
import type { StoreView } from './store-view.ts'
import { quoted } from './text.ts'
import { invalidTopic, parseTopic, type Topic, type TopicType } from './topic.ts'

/** Outside data becomes a type here, or the sentence that a 400 answers. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }

export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Content-Type, X-Agent-Id',
} as const

/** What the client in a page sends beside what browsers let every page send: a page that is let in may, and nothing else. */
export const PAGE_HEADERS = ['Content-Type', 'X-Agent-Id', 'Last-Event-ID'] as const
export type PageHeader = (typeof PAGE_HEADERS)[number]

export interface ExecRequest {
  readonly cmd: string
  readonly topic: Topic
  readonly requestId: string | null
  readonly cwd: string | null
  /** Whose rules hold: one that came through MCP never waits for its turn, and its shell commands end sooner. */
  readonly via: 'mcp' | null
  /** When the connection is closed while the command runs, it ends. */
  readonly cancelOnLeave: boolean
  /** What is typed into a bash topic is answered for after so long, where it has not ended; null: after the usual time. */
  readonly waitMs: number | null
  /** Up to where the caller has read what the shell of a bash topic printed; null: up to the last answer, whoever got that. */
  readonly seen: string | null
  /** What is typed into a bash topic is a command: while something runs there it is refused, and no input for that. */
  readonly atPrompt: boolean
  /** What a shell printed comes with its styles, too. */
  readonly styles: boolean
  /** What a program draws comes as rows, too: only what it draws over, or all that it prints. */
  readonly drawn: 'over' | 'all' | null
  /** A person types at a terminal: what is run at the prompt of a bash topic has their pagers; null: none. */
  readonly pagers: Pagers | null
}

export interface ChanFlowRequest {
  readonly text: string
  readonly cwd: string | null
  readonly cancelOnLeave: boolean
}

export interface CompleteRequest {
  /** The line up to the cursor. */
  readonly text: string
  readonly topic: Topic
  readonly cwd: string | null
}

/** Something that may stand where the cursor is. */
export interface CompletionItem {
  /** As it must be typed, quotes included. */
  readonly text: string
  readonly kind:
    | 'command'
    | 'flag'
    | 'folder'
    | 'file'
    | 'block'
    | 'shortcut'
    | 'topic'
    | 'action'
    | 'field'
    | 'value'
    | 'tool'
    | 'package'
    | 'menu'
    | 'event'
    | 'variable'
  /** One line about it. */
  readonly about: string | null
  /** Of a command: whether lines follow it. `none` of a flag that takes their place. */
  readonly body?: 'none' | 'optional' | 'required'
}

/** Answer of `POST /complete`. */
export interface CompletionView {
  /** Where in the text, in UTF-16 units, the part begins that an item takes the place of; it goes to the end. */
  readonly from: number
  readonly items: readonly CompletionItem[]
  /** How many there are; `items` has the first of them. */
  readonly total: number
  /** Of the command that is being typed. */
  readonly usage: string | null
  /** Why there is nothing, where that is known. */
  readonly note?: string
}

/** What became of one block. */
export interface ChanFlowBlockView {
  readonly channel: string
  /** As it was written; `main` when the tag named none. */
  readonly topic: string
  readonly ok: boolean
  readonly code: string | null
}

/** Answer of `POST /chanflow`. */
export interface ChanFlowReply {
  /** All reply blocks, in the order of their requests. */
  readonly text: string
  /** The text outside of blocks. */
  readonly rest: string
  readonly blocks: readonly ChanFlowBlockView[]
}

export interface DocumentMeta {
  readonly uri: string
  readonly title: string | null
  readonly current_block: string | null
  /** Of a document of the app that the topic belongs to: its path in there. */
  readonly app_path?: string
  readonly actions?: readonly string[]
  readonly menus?: readonly string[]
  readonly warnings?: readonly string[]
  /** Which page of a long document was shown. */
  readonly page?: number
  readonly pages?: number
}

export interface ExecHead {
  readonly ok: boolean
  readonly code: string | null
  readonly cmd: string
  readonly request_id: string | null
  readonly agent_id: string
  readonly topic: string
  readonly topic_type: TopicType
  readonly meta: DocumentMeta | null
  /** What the command has to say as fields; null when that is nothing. */
  readonly data: Data | null
  /** `markdown`: the content is a page to be read, which may be laid out. */
  readonly format: 'text' | 'markdown'
}

/** Answer of `POST /exec` as one object, for those who accept JSON. */
export interface ExecAnswer extends ExecHead {
  /** The body, without the line that repeats the command. */
  readonly content: string
}

export interface AgentView {
  readonly id: string
  readonly home: string
  readonly allowedPaths: readonly string[]
  readonly createdAt: string
  readonly profile?: string
}

export interface AgentRequest {
  readonly agentId: string
  readonly home: string | undefined
  readonly allowedPaths: readonly string[] | undefined
  readonly profile: string | undefined
  /** Only what would become of it is wanted. */
  readonly isCheck: boolean
  /** Names of fields that there are not. */
  readonly unknown: readonly string[]
}

export interface AgentRegistered {
  readonly agent_id: string
  readonly home: string
  readonly created: boolean
  /** What to know about its profile, `file:line:column: …` where there is a place. */
  readonly warnings?: readonly string[]
  /** Files of its home that are used from now on: where its messages may go, and what its turns run. */
  readonly brings?: readonly string[]
}

export interface SessionRequest {
  readonly agentId: string
  readonly topic: Topic
}

export interface WebhookView {
  readonly agent_id: string
  readonly webhook_url: string
}

/** Whether there is one, without its secret. */
export interface WebhookPeek {
  readonly agent_id: string
  /** Null where none was made. */
  readonly webhook_url: string | null
  readonly masked: true
}

export interface WebhookAccepted {
  readonly ok: true
  readonly agent_id: string
  readonly event_id: string
}

export const DELIVERY_STATES = ['trying', 'waiting', 'sent', 'failed'] as const

/** `trying`: a try is under way, or was when the daemon was killed. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** What became of a message to another channel. */
export interface DeliveryView {
  readonly id: string
  readonly agent_id: string
  readonly channel: string
  readonly target: string
  readonly state: DeliveryState
  readonly tries: number
  readonly created_at: string
  readonly next_at: string | null
  readonly reason: string | null
}

/** The same with what it says: answer of `GET /deliveries/:id`. */
export interface DeliveryDetail extends DeliveryView {
  readonly text: string
}

/** An event in a list, and what became of it. */
export interface InboxItem {
  readonly id: string
  readonly agent_id: string
  readonly source: string
  readonly state: 'pending' | 'acked'
  readonly received_at: string
  readonly acked_at: string | null
  /** In a list its beginning, else all of it. */
  readonly text: string
  readonly bytes: number
  /** The turn that it became. */
  readonly turn: {
    readonly turn_id: string
    readonly state: string
    readonly code: string | null
    readonly attempt: number
  } | null
  /** Why it waits; null of one that is dealt with, and where only another node knows. */
  readonly waits: EventWait | null
}

/** An event as the stream sends it. */
export interface EventView {
  readonly id: string
  readonly agentId: string
  readonly receivedAt: string
  readonly source: string
  readonly text: string
  readonly status: 'pending' | 'acked'
}

/** The command that a topic is running. */
export interface RunningView {
  /** Its first line, for display. */
  readonly command: string
  readonly since: string
  readonly request_id: string | null
}

/** A piece of parsed Markdown: as `markdown-it` names it, without what is empty. */
export interface MarkdownToken {
  readonly type: string
  /** 1 opens, -1 closes, 0 is whole. */
  readonly nesting: -1 | 0 | 1
  readonly tag?: string
  readonly content?: string
  /** Of a fence: its language. */
  readonly info?: string
  readonly attrs?: Readonly<Record<string, string>>
  /** A paragraph of a tight list, whose tags are not shown. */
  readonly hidden?: true
  readonly children?: readonly MarkdownToken[]
}

/** Answer of `GET /sessions/:agent_id/:topic`: what a topic shows now. */
export interface SessionShown extends SessionView {
  readonly text: string
  readonly format: 'markdown' | 'text'
  /** The text parsed, where it is Markdown. */
  readonly tokens: readonly MarkdownToken[] | null
  readonly meta: DocumentMeta | null
  /** How the shell of a bash topic stands, whose screen the text is. */
  readonly screen: {
    readonly cwd: string
    /** Up to where whoever has read the text has read what the shell printed: for `seen`. */
    readonly place: string
    readonly running: { readonly command: string; readonly seconds: number } | null
  } | null
}

export interface SessionView {
  readonly agent_id: string
  readonly topic: string
  readonly topic_type: TopicType
  readonly executing: boolean
  readonly queue_length: number
  readonly running: RunningView | null
  readonly doc: DocumentMeta | null
}

/** What was ended in a topic, whose session stays. */
export interface SessionCancelled {
  readonly agent_id: string
  readonly topic: string
  readonly cancelled: number
}

/** The answer to who attended what ran in a shell: it has ended, or nothing ran. */
export interface SessionAttended {
  readonly agent_id: string
  readonly topic: string
  readonly attended: boolean
}

export interface SessionTouched {
  readonly agent_id: string
  readonly topic: string
  readonly topic_type: TopicType
  readonly created: boolean
}

/** Without its store the daemon is not ok: it is answered with 503. */
export interface Health {
  readonly ok: boolean
  readonly agents: number
  readonly sessions: number
  readonly version: string
  readonly pid: number
  readonly started_at: string
  readonly store: StoreView
  readonly limits: LimitsView
}

/** What the daemon holds and takes at most: those limits that somebody may run into. */
export interface LimitsView {
  readonly agents: number
  readonly sessions: number
  readonly shells: number
  /** Behind the one that runs, in a topic. */
  readonly waiting_commands: number
  /** Behind the one that runs, in a session. */
  readonly waiting_turns: number
  readonly waiting_approvals: number
  readonly command_ms: number
  readonly event_bytes: number
  readonly request_bytes: number
}

/** Body of `POST /exec`. */
export function parseExecRequest(body: unknown): Parsed<ExecRequest> {
  if (!isFields(body)) return invalid('Invalid JSON body — expected { "cmd": "..." }')
  const { cmd, topic, request_id, cwd, via, cancel_on_leave, wait_ms, seen: place } = body
  const { at_prompt, styles, drawn, pagers: pages } = body
  if (cmd === undefined || cmd === null || cmd === '') return invalid('Empty command — provide non-empty "cmd" field')
  if (typeof cmd !== 'string') return invalid('"cmd" must be a string')
  const parsedTopic = topicOf(topic)
  if (!parsedTopic.ok) return parsedTopic
  const requestId = optionalString('request_id', request_id)
  if (!requestId.ok) return requestId
  if ((requestId.value ?? '').length > LIMITS.requestIdChars) {
    return invalid(`"request_id" is longer than ${LIMITS.requestIdChars} characters`)
  }
  const directory = optionalPath('cwd', cwd)
  if (!directory.ok) return directory
  if (via !== undefined && via !== null && via !== 'mcp') return invalid('"via" must be "mcp"')
  const cancelOnLeave = optionalBoolean('cancel_on_leave', cancel_on_leave)
  if (!cancelOnLeave.ok) return cancelOnLeave
  const waitMs = optionalWait(wait_ms)
  if (!waitMs.ok) return waitMs
  const seen = optionalString('seen', place)
  if (!seen.ok) return seen
  const atPrompt = optionalBoolean('at_prompt', at_prompt)
  if (!atPrompt.ok) return atPrompt
  const hasStyles = optionalBoolean('styles', styles)
  if (!hasStyles.ok) return hasStyles
  if (drawn !== undefined && drawn !== null && drawn !== 'over' && drawn !== 'all')
    return invalid('"drawn" must be "over" or "all"')
  const pagers = optionalPagers(pages)
  if (!pagers.ok) return pagers
  return valid({
    cmd,
    topic: parsedTopic.value,
    requestId: requestId.value ?? null,
    cwd: directory.value ?? null,
    via: via ?? null,
    cancelOnLeave: cancelOnLeave.value,
    waitMs: waitMs.value,
    seen: seen.value ?? null,
    atPrompt: atPrompt.value,
    styles: hasStyles.value,
    drawn: drawn ?? null,
    pagers: pagers.value,
  })
}

/** Body of `POST /complete`. */
export function parseCompleteRequest(body: unknown): Parsed<CompleteRequest> {
  const given = textIn(body)
  if (!given.ok) return given
  const { text, fields } = given.value
  const topic = topicOf(fields.topic)
  if (!topic.ok) return topic
  const directory = optionalPath('cwd', fields.cwd)
  return directory.ok ? valid({ text, topic: topic.value, cwd: directory.value ?? null }) : directory
}

/** Body of `POST /chanflow`. */
export function parseChanFlowRequest(body: unknown): Parsed<ChanFlowRequest> {
  const given = textIn(body)
  if (!given.ok) return given
  const { text, fields } = given.value
  const directory = optionalPath('cwd', fields.cwd)
  if (!directory.ok) return directory
  const cancelOnLeave = optionalBoolean('cancel_on_leave', fields.cancel_on_leave)
  if (!cancelOnLeave.ok) return cancelOnLeave
  return valid({ text, cwd: directory.value ?? null, cancelOnLeave: cancelOnLeave.value })
}

function textIn(body: unknown): Parsed<{ readonly text: string; readonly fields: Fields }> {
  if (!isFields(body) || body.text === undefined || body.text === null)
    return invalid('Invalid JSON body — expected { "text": "..." }')
  return typeof body.text === 'string' ? valid({ text: body.text, fields: body }) : invalid('"text" must be a string')
}

/** Body of `POST /sessions/:agent_id/:topic/cancel`, which may be left out. */
export function parseCancelRequest(body: unknown): Parsed<{ readonly all: boolean }> {
  if (!isFields(body)) return invalid('Invalid JSON body — expected { "all": true }')
  const all = optionalBoolean('all', body.all)
  return all.ok ? valid({ all: all.value }) : all
}

/** Body of `POST /agents`. */
export function parseAgentRequest(body: unknown): Parsed<AgentRequest> {
  if (!isFields(body)) return invalid('Invalid JSON body — expected { "agent_id": "..." }')
  const agentId = agentIdOf(body.agent_id)
  if (!agentId.ok) return agentId
  const home = optionalPath('home', body.home)
  if (!home.ok) return home
  const profile = optionalPath('profile', body.profile)
  if (!profile.ok) return profile
  const allowedPaths = optionalPaths('allowed_paths', body.allowed_paths)
  if (!allowedPaths.ok) return allowedPaths
  const check = optionalBoolean('check', body.check)
  if (!check.ok) return check
  return valid({
    agentId: agentId.value,
    home: home.value,
    allowedPaths: allowedPaths.value,
    profile: profile.value,
    isCheck: check.value,
    unknown: Object.keys(body).filter((name) => !AGENT_FIELDS.includes(name)),
  })
}

const AGENT_FIELDS = ['agent_id', 'home', 'allowed_paths', 'profile', 'check']

/** What is said of a field that nothing was done with. */
export function unknownAgentField(name: string): string {
  const close = nearest(name, AGENT_FIELDS)
  return `Unknown field ${quoted(name)} is ignored; ${close === null ? `there are ${AGENT_FIELDS.join(', ')}` : `did you mean ${close}?`}`
}

/** Body of `POST /sessions`. */
export function parseSessionRequest(body: unknown): Parsed<SessionRequest> {
  if (!isFields(body)) return invalid('Invalid JSON body — expected { "agent_id": "...", "topic": "..." }')
  const agentId = agentIdOf(body.agent_id)
  if (!agentId.ok) return agentId
  const topic = topicOf(body.topic)
  return topic.ok ? valid({ agentId: agentId.value, topic: topic.value }) : topic
}

/** An agent id, wherever it comes from. */
export function agentIdOf(value: unknown): Parsed<string> {
  if (value === undefined || value === null || value === '') return invalid('agent_id required')
  if (typeof value !== 'string') return invalid('"agent_id" must be a string')
  if (isAgentId(value)) return valid(value)
  return invalid(
    `Invalid agent_id: ${quoted(value)} — letters, digits and . _ @ + - only, at most ${LIMITS.agentIdChars}, no leading dot`,
  )
}

/** A topic, wherever it comes from. */
export function topicOf(value: unknown): Parsed<Topic> {
  if (value !== undefined && value !== null && typeof value !== 'string') return invalid('"topic" must be a string')
  const topic = parseTopic(value)
  return topic === null ? invalid(invalidTopic(value ?? '').system) : valid(topic)
}

export function valid<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function invalid(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error }
}

function optionalString(name: string, value: unknown): Parsed<string | undefined> {
  if (value === undefined || value === null) return valid(undefined)
  return typeof value === 'string' ? valid(value) : invalid(`"${name}" must be a string`)
}

function optionalPagers(value: unknown): Parsed<Pagers | null> {
  if (value === undefined || value === null) return valid(null)
  const pagers = parsePagers(value)
  return pagers === null
    ? invalid(`"pagers" must be an object of texts of up to ${LIMITS.pagerBytes} printable characters`)
    : valid(pagers)
}

function optionalBoolean(name: string, value: unknown): Parsed<boolean> {
  if (value === undefined || value === null) return valid(false)
  return typeof value === 'boolean' ? valid(value) : invalid(`"${name}" must be true or false`)
}

function optionalWait(value: unknown): Parsed<number | null> {
  if (value === undefined || value === null) return valid(null)
  const isWait = typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= LIMITS.shellWaitMs
  return isWait ? valid(value) : invalid(`"wait_ms" must be a whole number from 1 to ${LIMITS.shellWaitMs}`)
}

function optionalPath(name: string, value: unknown): Parsed<string | undefined> {
  const text = optionalString(name, value)
  if (!text.ok || text.value === undefined) return text
  return isAbsolutePath(text.value) ? valid(plainPath(text.value)) : invalid(`"${name}" must be an absolute path`)
}

function optionalPaths(name: string, value: unknown): Parsed<readonly string[] | undefined> {
  if (value === undefined || value === null) return valid(undefined)
  if (!Array.isArray(value) || !value.every((path) => typeof path === 'string' && isAbsolutePath(path))) {
    return invalid(`"${name}" must be a list of absolute paths`)
  }
  if (value.length > LIMITS.allowedPaths) return invalid(`"${name}" has more than ${LIMITS.allowedPaths} paths`)
  return valid([...new Set(value.map(plainPath))])
}

/** Without `.`, `..` and doubled or final slashes: one spelling for one path. */
function plainPath(path: string): string {
  // As most are sent: no part is empty or made of dots.
  if (!/\/\.{0,2}(?:\/|$)/.test(path)) return path
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') && path.length <= LIMITS.pathChars && !path.includes('\0') && path.isWellFormed()
}
