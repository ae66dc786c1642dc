import type {
  AgentRegistered,
  AgentSessionView,
  AgentStanding,
  CompletionView,
  DeliveryView,
  ExecAnswer,
  Health,
  SessionView,
  TurnAttachment,
  TurnSummary,
  WebhookView,
} from '@string-os/protocol'
import { type Answer, ask, path, query } from './request.ts'
import type {
  AgentDetail,
  AgentRow,
  ApprovalView,
  DoctorView,
  EventRow,
  LogRow,
  TopicView,
  TurnDetail,
} from './shapes.ts'

/** How many rows of a list are asked for at once. */
export const PAGE_ROWS = 50

export interface Span {
  readonly limit: number
  readonly before?: string | null
}

async function listed<T>(name: string, asked: string): Promise<Answer<T[]>> {
  const answer = await ask<Readonly<Record<string, T[]>>>({ path: asked })
  return answer.ok ? { ok: true, value: answer.value[name] ?? [] } : answer
}

export const agents = {
  list: (): Promise<Answer<AgentRow[]>> => listed('agents', '/agents'),
  get: (id: string): Promise<Answer<AgentDetail>> => ask({ path: path('agents', id) }),
  register: (body: { agent_id: string; home?: string; profile?: string; check?: true }) =>
    ask<AgentRegistered>({ method: 'POST', path: '/agents', body }),
  stand: (id: string, verb: 'pause' | 'resume' | 'stop') =>
    ask<AgentStanding>({ method: 'POST', path: path('agents', id, verb) }),
  sessions: (id: string): Promise<Answer<AgentSessionView[]>> => listed('sessions', path('agents', id, 'sessions')),
  forget: (id: string, session: string) =>
    ask<object>({ method: 'DELETE', path: path('agents', id, 'sessions', session) }),
}

export interface Message {
  readonly message: string
  readonly session: string
  readonly attachments: readonly TurnAttachment[]
  readonly request_id: string
}

export const turns = {
  list: (filter: { agent_id?: string; session?: string; state?: string } & Span): Promise<Answer<TurnSummary[]>> =>
    listed('turns', `/turns${query({ ...filter })}`),
  get: (id: string) => ask<TurnDetail>({ path: path('turns', id) }),
  cancel: (id: string) => ask<TurnDetail>({ method: 'DELETE', path: path('turns', id) }),
  retry: (id: string) => ask<TurnDetail>({ method: 'POST', path: path('turns', id, 'retry') }),
}

export const topics = {
  list: (agent: string): Promise<Answer<SessionView[]>> => listed('sessions', `/sessions${query({ agent_id: agent })}`),
  get: (agent: string, topic: string) => ask<TopicView>({ path: path('sessions', agent, topic) }),
  touch: (agent: string, topic: string) =>
    ask<object>({ method: 'POST', path: '/sessions', body: { agent_id: agent, topic } }),
  close: (agent: string, topic: string) => ask<object>({ method: 'DELETE', path: path('sessions', agent, topic) }),
  cancel: (agent: string, topic: string) =>
    ask<object>({ method: 'POST', path: path('sessions', agent, topic, 'cancel'), body: { all: true } }),
  exec: (agent: string, topic: string, cmd: string) =>
    ask<ExecAnswer>({ method: 'POST', path: '/exec', agent, body: { cmd, topic } }),
  complete: (agent: string, topic: string, text: string, signal: AbortSignal) =>
    ask<CompletionView>({ method: 'POST', path: '/complete', agent, body: { text, topic }, signal }),
}

export const approvals = {
  waiting: (): Promise<Answer<ApprovalView[]>> =>
    listed('approvals', `/approvals${query({ state: 'waiting', limit: 200 })}`),
  list: (span: Span & { turn_id?: string }): Promise<Answer<ApprovalView[]>> =>
    listed('approvals', `/approvals${query({ ...span })}`),
  get: (id: string) => ask<ApprovalView>({ path: path('approvals', id) }),
  answer: (id: string, answer: 'allow' | 'deny', note: string) =>
    ask<ApprovalView>({
      method: 'POST',
      path: path('approvals', id),
      body: { answer, by: 'page', ...(note === '' ? {} : { note }) },
    }),
}

export const events = {
  list: (filter: { agent_id?: string | null; state?: string | null } & Span): Promise<Answer<EventRow[]>> =>
    listed('events', `/events${query({ ...filter })}`),
  get: (id: string) => ask<EventRow>({ path: path('events', id) }),
  ack: (id: string) => ask<EventRow>({ method: 'POST', path: path('events', id, 'ack') }),
  retry: (id: string) => ask<EventRow>({ method: 'POST', path: path('events', id, 'retry') }),
}

export const deliveries = {
  list: (filter: { state?: string | null } & Span): Promise<Answer<DeliveryView[]>> =>
    listed('deliveries', `/deliveries${query({ ...filter })}`),
  get: (id: string) => ask<DeliveryView & { text: string }>({ path: path('deliveries', id) }),
  retry: (id: string) => ask<DeliveryView>({ method: 'POST', path: path('deliveries', id, 'retry') }),
}

export const webhooks = {
  peek: (agent: string) =>
    ask<{ agent_id: string; webhook_url: string | null }>({ path: `${path('agents', agent, 'webhook')}?peek=1` }),
  show: (agent: string) => ask<WebhookView>({ path: path('agents', agent, 'webhook') }),
  rotate: (agent: string) => ask<WebhookView>({ method: 'POST', path: path('agents', agent, 'webhook') }),
}

export const system = {
  /** A daemon whose store is away answers too: that is what one wants to know. */
  health: () => ask<Health>({ path: '/health', accepts: 503 }),
  doctor: () => ask<DoctorView>({ path: '/doctor' }),
  log: (level: string): Promise<Answer<LogRow[]>> => listed('log', `/log${query({ limit: 100, level })}`),
}
