import { type AgentFields, type ApprovalOutcome, StringClient } from '@string-os/client/browser'
import type {
  AgentActivity,
  AgentFilter,
  AgentOrder,
  AgentRegistered,
  AgentRow,
  AgentSessionView,
  ApprovalAnswer,
  ApprovalView,
  CompletionView,
  DeliveryDetail,
  DeliveryState,
  DeliveryView,
  DoctorView,
  Health,
  InboxItem,
  LogEntry,
  LogLevel,
  NodeView,
  OverviewView,
  SessionShown,
  SessionView,
  TurnAttachment,
  TurnSummary,
  TurnView,
} from '@string-os/protocol'
import { type Answer, answer } from './answer.ts'

/** How many rows of a list are asked for at once. */
export const PAGE_ROWS = 50

/** A part of a list: so many, older than one. */
export interface Span {
  readonly limit: number
  readonly before?: string
}

/** The daemon that the page came from. */
export const daemon = new StringClient()
const speakers = new Map<string, StringClient>()

/** Speaks for one agent; it is looked for once. */
function as(agent: string): StringClient {
  const known = speakers.get(agent) ?? daemon.as(agent)
  speakers.set(agent, known)
  return known
}

export interface AgentsWanted {
  readonly order: AgentOrder
  readonly state?: AgentFilter
  /** A part of the name. */
  readonly named?: string
}

export const agents = {
  /** Of all nodes. */
  list: (filter: AgentsWanted & Span): Promise<Answer<AgentRow[]>> =>
    answer(daemon.agents.list({ all: true, ...filter })),
  overview: (): Promise<Answer<OverviewView>> => answer(daemon.overview({ all: true })),
  get: (id: string): Promise<Answer<AgentActivity>> => answer(daemon.agents.get(id)),
  register: (id: string, fields: AgentFields): Promise<Answer<AgentRegistered>> =>
    answer(daemon.agents.register(id, fields)),
  check: (id: string, fields: AgentFields): Promise<Answer<AgentRegistered>> => answer(daemon.agents.check(id, fields)),
  stand: (id: string, verb: 'pause' | 'resume' | 'stop') => answer(daemon.agents[verb](id)),
  sessions: (id: string, span: Span): Promise<Answer<AgentSessionView[]>> => answer(daemon.agents.sessions(id, span)),
}

export const turns = {
  list: (filter: { agent: string; session: string } & Span): Promise<Answer<TurnSummary[]>> =>
    answer(daemon.turns.list(filter)),
  get: (id: string): Promise<Answer<TurnView>> => answer(daemon.turns.get(id)),
  cancel: (id: string) => answer(daemon.turns.cancel(id)),
  retry: (id: string) => answer(daemon.turns.retry(id)),
  /**
   * Gives an agent a message; answers its turn as soon as there is one. The rest of the stream is left: what the turn says
   * comes with everything else, and a browser has few connections.
   */
  begin: (agent: string, message: string, given: MessageGiven): Promise<Answer<string>> =>
    answer(firstTurn(agent, message, given)),
}

export interface MessageGiven {
  readonly session: string
  readonly attachments: readonly TurnAttachment[]
  readonly requestId: string
}

async function firstTurn(agent: string, message: string, given: MessageGiven): Promise<string> {
  for await (const event of daemon.as(agent).turn(message, given)) {
    if (event.type === 'queued' || event.type === 'start') return event.turn_id
  }
  throw new Error('The answer broke off')
}

export const topics = {
  /** Opened last first. */
  list: async (agent: string, { limit, before }: Span): Promise<Answer<SessionView[]>> => {
    const part = { limit, before: before === undefined ? undefined : `${agent}/${before}` }
    const found = await answer(daemon.sessions.list(agent, part))
    return found.ok ? { ok: true, value: found.value.toReversed() } : found
  },
  get: (agent: string, topic: string): Promise<Answer<SessionShown>> => answer(daemon.as(agent).sessions.show(topic)),
  close: (agent: string, topic: string) => answer(daemon.as(agent).sessions.close(topic)),
  cancel: (agent: string, topic: string) => answer(daemon.as(agent).sessions.cancel(topic, { all: true })),
  exec: (agent: string, topic: string, cmd: string) => answer(as(agent).exec(topic, cmd)),
  complete: (agent: string, topic: string, text: string, signal: AbortSignal): Promise<Answer<CompletionView>> =>
    answer(as(agent).complete(topic, text, { signal })),
}

export const approvals = {
  /** Oldest first. */
  waiting: ({ limit, before: after }: Span): Promise<Answer<ApprovalView[]>> =>
    answer(daemon.approvals.list({ state: 'waiting', limit, after })),
  list: (span: Span & { turn?: string }): Promise<Answer<ApprovalView[]>> => answer(daemon.approvals.list(span)),
  get: (id: string): Promise<Answer<ApprovalView>> => answer(daemon.approvals.get(id)),
  answer: (id: string, given: ApprovalAnswer, note: string): Promise<Answer<ApprovalOutcome>> =>
    answer(daemon.approvals.answer(id, given, { by: 'page', ...(note === '' ? {} : { note }) })),
}

export const events = {
  list: (filter: { agent?: string; state?: 'pending' | 'acked' } & Span): Promise<Answer<InboxItem[]>> =>
    answer(daemon.inbox.list(filter)),
  get: (id: string): Promise<Answer<InboxItem>> => answer(daemon.inbox.get(id)),
  ack: (id: string) => answer(daemon.inbox.ack(id)),
  retry: (id: string) => answer(daemon.inbox.retry(id)),
}

export const deliveries = {
  list: (filter: { agent?: string; state?: DeliveryState } & Span): Promise<Answer<DeliveryView[]>> =>
    answer(daemon.outbox.list(filter)),
  get: (id: string): Promise<Answer<DeliveryDetail>> => answer(daemon.outbox.get(id)),
  retry: (id: string) => answer(daemon.outbox.retry(id)),
}

export const webhooks = {
  peek: (agent: string) => answer(daemon.as(agent).webhook.peek()),
  show: (agent: string) => answer(daemon.as(agent).webhook.show()),
  rotate: (agent: string) => answer(daemon.as(agent).webhook.rotate()),
}

export const system = {
  health: (): Promise<Answer<Health>> => answer(daemon.health()),
  doctor: (): Promise<Answer<DoctorView>> => answer(daemon.doctor()),
  /** By name. */
  nodes: async (span: Span): Promise<Answer<NodeView[]>> => {
    const found = await answer(daemon.fleet.nodes(span))
    return found.ok ? { ok: true, value: [...found.value.nodes] } : found
  },
  log: (level: LogLevel, limit: number): Promise<Answer<LogEntry[]>> => answer(daemon.log({ level, limit })),
}
