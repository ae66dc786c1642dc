import type { TurnView } from '@string-os/protocol'

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
