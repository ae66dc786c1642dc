import type { ApprovalAnswer, ApprovalState } from '@string-os/protocol'

/** A question to a person as it is stored. */
export interface ApprovalRow {
  /** Ids sort in the order in which they were made. */
  readonly id: string
  readonly agentId: string
  readonly turnId: string | null
  readonly kind: string
  readonly question: string
  readonly detail: string
  /** Of what was asked, before anything was made visible. */
  readonly digest: string
  /** The run of the turn that asked last. */
  readonly run: number
  readonly createdAt: string
  readonly expiresAt: string
  readonly state: ApprovalState
  readonly answer: ApprovalAnswer | null
  readonly answeredBy: string | null
  readonly answeredAt: string | null
  readonly note: string | null
  /** Whoever asked has been told: an answer is good for once. */
  readonly isTaken: boolean
}

export interface ApprovalQuery {
  /** Not heeded beside `turnId`. */
  readonly agentId: string | null
  readonly turnId: string | null
  readonly state: ApprovalState | null
  /** With smaller ids than this one. */
  readonly before: string | null
  /** With greater ids than this one, oldest first. */
  readonly after: string | null
  readonly limit: number
}

/** What ends the wait. */
export type ApprovalEnd = Pick<ApprovalRow, 'answer' | 'answeredBy' | 'answeredAt' | 'note'> & {
  readonly state: Exclude<ApprovalState, 'waiting'>
}

/** Questions to people: each is settled once. */
export interface ApprovalStore {
  add(approval: ApprovalRow): Promise<void>
  byId(id: string): Promise<ApprovalRow | null>
  /** Newest first; with `after` oldest first. */
  list(query: ApprovalQuery): Promise<ApprovalRow[]>
  /** Ends one that waits. Of many that try, one is first; all get the row as it is then. Null: there is none. */
  settle(id: string, end: ApprovalEnd): Promise<{ readonly isFirst: boolean; readonly approval: ApprovalRow } | null>
  /** The oldest that an earlier run of the turn asked in the same words, and whose answer nobody was told; it is this run's now. */
  askAgain(turnId: string, digest: string, run: number): Promise<ApprovalRow | null>
  /** Its answer is being told. False: it was before. */
  take(id: string): Promise<boolean>
  /** The agents of those that wait, each as often as it has any; at most `limit`. */
  waiting(limit: number): Promise<string[]>
  /** Everything of an agent, at most `limit`. */
  remove(agentId: string, limit: number): Promise<number>
  /** Forgets what is over and has a smaller id, at most `limit`. */
  prune(beforeId: string, limit: number): Promise<number>
}
