import { APPROVAL_STATES, type DeliveryState, parseJson, TURN_STATES, type TurnState } from '@string-os/protocol'
import type { AgentSession } from './groups/agent-sessions.ts'
import type { ApprovalRow } from './groups/approvals.ts'
import type { DeliveryRow } from './groups/deliveries.ts'
import type { EventRow } from './groups/events.ts'
import type { LatestTurn, TurnDetail, TurnRequestRow, TurnRow } from './groups/turns.ts'
import type { UsageRow } from './groups/usage.ts'

/** A row as a driver gives it, under the names of its columns, which both engines share. */
type GivenRow = Readonly<Record<string, unknown>>

export function columnText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Texts that may hold U+0000 are stored as bytes. */
function bytesText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : ''
}

/** What was stored as JSON by us; a checksum, or the server, vouches for it. */
function columnJson<T>(value: unknown, fallback: T): T {
  const found = value instanceof Uint8Array ? parseJson(bytesText(value)) : undefined
  return found === undefined ? fallback : (found as T)
}

export function eventOf(row: GivenRow): EventRow {
  const ackedAt = columnText(row.acked_at)
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    receivedAt: String(row.received_at),
    source: String(row.source),
    text: bytesText(row.text),
    status: ackedAt === null ? 'pending' : 'acked',
    ackedAt,
    hops: Number(row.hops),
  }
}

export function deliveryOf(row: GivenRow): DeliveryRow {
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    channel: String(row.channel),
    target: String(row.target),
    text: bytesText(row.text),
    state: deliveryState(row.state),
    tries: Number(row.tries),
    createdAt: String(row.created_at),
    nextAt: columnText(row.next_at),
    reason: columnText(row.reason),
    claim: Number(row.claim),
  }
}

function deliveryState(value: unknown): DeliveryState {
  return value === 'trying' || value === 'waiting' || value === 'sent' ? value : 'failed'
}

export function turnOf(row: GivenRow): TurnRow {
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    session: String(row.session),
    from: String(row.from_user),
    source: String(row.source),
    eventId: columnText(row.event_id),
    requestId: columnText(row.request_id),
    message: bytesText(row.message),
    attachments: columnJson<TurnRow['attachments']>(row.attachments, []),
    hops: Number(row.hops),
    state: turnState(row.state),
    code: columnText(row.code),
    attempt: Number(row.attempt),
    createdAt: String(row.created_at),
    startedAt: columnText(row.started_at),
    endedAt: columnText(row.ended_at),
    nextAt: String(row.next_at),
    result: columnJson<TurnRow['result']>(row.result, null),
    usage: columnJson<TurnRow['usage']>(row.usage, null),
    retryOf: columnText(row.retry_of),
    retriedBy: columnText(row.retried_by),
    claim: Number(row.claim),
  }
}

export function latestTurnOf(row: GivenRow): LatestTurn {
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    state: turnState(row.state),
    code: columnText(row.code),
    attempt: Number(row.attempt),
    endedAt: columnText(row.ended_at),
    claim: Number(row.claim),
  }
}

function turnState(value: unknown): TurnState {
  return TURN_STATES.find((state) => state === value) ?? 'interrupted'
}

export function turnDetailOf(row: GivenRow): TurnDetail {
  const stored = columnJson<StoredSteps>(row.steps, [])
  const kept = isList(stored) ? { steps: stored } : stored
  return { ...kept, partial: bytesText(row.partial), stderr: bytesText(row.stderr) }
}

/** Of a turn with failed runs before, these stand beside the steps of the last. */
type StoredSteps = TurnDetail['steps'] | Required<Pick<TurnDetail, 'steps' | 'tries'>>

function isList(stored: StoredSteps): stored is TurnDetail['steps'] {
  return Array.isArray(stored)
}

export function storedSteps({ steps, tries = [] }: TurnDetail): string {
  const stored: StoredSteps = tries.length === 0 ? steps : { steps, tries }
  return JSON.stringify(stored)
}

/** What of an approval is not in columns of its own. */
export function approvalBody({ id: _id, agentId: _agent, turnId: _turn, state: _state, ...body }: ApprovalRow): Buffer {
  return Buffer.from(JSON.stringify(body))
}

export function approvalOf(row: GivenRow): ApprovalRow {
  const body = columnJson<Partial<ApprovalRow>>(row.body, {})
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    turnId: columnText(row.turn_id),
    state: APPROVAL_STATES.find((state) => state === row.state) ?? 'withdrawn',
    kind: body.kind ?? '',
    question: body.question ?? '',
    detail: body.detail ?? '',
    digest: body.digest ?? '',
    run: body.run ?? 0,
    createdAt: body.createdAt ?? '',
    expiresAt: body.expiresAt ?? '',
    answer: body.answer ?? null,
    answeredBy: body.answeredBy ?? null,
    answeredAt: body.answeredAt ?? null,
    note: body.note ?? null,
    isTaken: body.isTaken ?? false,
  }
}

export function turnRequestOf(row: GivenRow): TurnRequestRow {
  return {
    agentId: String(row.agent_id),
    requestId: String(row.request_id),
    turnId: String(row.turn_id),
    digest: String(row.digest),
    usedAt: String(row.used_at),
  }
}

/** One engine has truth values, the other one numbers. */
export function agentSessionOf(row: GivenRow): AgentSession {
  return {
    agentId: String(row.agent_id),
    session: String(row.session),
    sessionId: columnText(row.session_id),
    hasSucceeded: row.has_succeeded === true || row.has_succeeded === 1,
    usedAt: String(row.used_at),
  }
}

/** Sums may be without the names that they are not by. */
export function usageOf(row: GivenRow): UsageRow {
  return {
    day: columnText(row.day) ?? '',
    agentId: columnText(row.agent_id) ?? '',
    session: columnText(row.session) ?? '',
    turns: Number(row.turns),
    failed: Number(row.failed),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    totalTokens: Number(row.total_tokens),
    costUsd: Number(row.cost_usd),
    durationMs: Number(row.duration_ms),
  }
}
