import type { AgentView, DocumentMeta, SessionView, TurnState, TurnView } from '@string-os/protocol'

export interface AgentTurn {
  readonly turn_id: string
  readonly session: string
  readonly state: TurnState
  readonly since: string
  readonly message: string
}

export interface AgentRow extends AgentView {
  readonly state: 'idle' | 'running' | 'waiting' | 'failing'
  readonly paused: boolean
  readonly has_profile: boolean
  readonly running: number
  readonly waiting: number
  readonly turn: AgentTurn | null
  readonly last_turn: { turn_id: string; state: TurnState; code: string | null; ended_at: string } | null
  readonly silent_since: string | null
  readonly pending_events: number
  readonly approvals: number
}

export interface AgentDetail extends AgentRow {
  readonly wake: 'events' | null
  readonly problem: string | null
}

export interface ApprovalView {
  readonly id: string
  readonly agent_id: string
  readonly turn_id: string | null
  readonly kind: string
  readonly question: string
  readonly detail: string
  readonly choices: readonly string[]
  readonly created_at: string
  readonly expires_at: string
  readonly state: 'waiting' | 'allowed' | 'denied' | 'expired' | 'withdrawn'
  readonly answer: 'allow' | 'deny' | null
  readonly answered_by: string | null
  readonly answered_at: string | null
  readonly note: string | null
}

export interface EventRow {
  readonly id: string
  readonly agent_id: string
  readonly source: string
  readonly state: 'pending' | 'acked'
  readonly received_at: string
  readonly acked_at: string | null
  readonly text: string
  readonly bytes: number
  readonly turn: { turn_id: string; state: TurnState; code: string | null; attempt: number } | null
}

export interface TopicView extends SessionView {
  readonly text: string
  readonly meta: DocumentMeta | null
  readonly format: 'markdown' | 'text'
  readonly screen: { running: boolean; cwd: string } | null
}

export interface TurnDetail extends TurnView {
  readonly approvals?: readonly ApprovalView[]
}

/** What `GET /doctor` finds. */
export interface DoctorView {
  readonly ok: boolean
  readonly version: string
  readonly checks: readonly {
    readonly name: string
    readonly state: 'ok' | 'warn' | 'fail' | 'untried'
    readonly seen: string
    readonly mend: string | null
  }[]
}

export interface LogRow {
  readonly time: string
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}
