import type {
  TurnAttachment,
  TurnResultView,
  TurnState,
  TurnStepDetail,
  TurnTryView,
  TurnUsage,
} from '@string-os/protocol'

/** A turn of an agent as it is stored. */
export interface TurnRow {
  /** Ids sort in the order in which they were made. */
  readonly id: string
  readonly agentId: string
  readonly session: string
  readonly from: string
  /** `person`, or the source of the event. */
  readonly source: string
  readonly eventId: string | null
  /** Of whoever asked first. */
  readonly requestId: string | null
  readonly message: string
  readonly attachments: readonly TurnAttachment[]
  /** How many agents the message has passed through. */
  readonly hops: number
  readonly state: TurnState
  readonly code: string | null
  /** Runs that have failed, plus one. */
  readonly attempt: number
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** When it may be run. */
  readonly nextAt: string
  readonly result: TurnResultView | null
  readonly usage: TurnUsage | null
  /** The turn whose message this one gives to its agent again. */
  readonly retryOf: string | null
  /** The last turn that does so with this one's. */
  readonly retriedBy: string | null
  /** The number of the claim under which it was last run; each is used once. */
  readonly claim: number
}

/** What is asked for one turn only. */
export interface TurnDetail {
  readonly steps: readonly TurnStepDetail[]
  readonly partial: string
  readonly stderr: string
  /** Runs before this one that failed. */
  readonly tries?: readonly TurnTryView[]
}

/** Whether a run of it came before that of which its row tells; as a condition of the stores, `RUN_BEFORE`. */
export function hasRunBefore({ claim, state }: Pick<TurnRow, 'claim' | 'state'>): boolean {
  return claim > 1 || (claim === 1 && (state === 'queued' || state === 'cancelled'))
}

export const RUN_BEFORE = "(claim > 1 OR (claim = 1 AND state IN ('queued', 'cancelled')))"

/** What the last turn of an agent came to. */
export type LatestTurn = Pick<TurnRow, 'id' | 'agentId' | 'state' | 'code' | 'attempt' | 'endedAt' | 'claim'>

export interface TurnQuery {
  readonly agentId: string | null
  readonly session: string | null
  readonly state: TurnState | null
  /** Ended at or after this time, or not over yet. */
  readonly since: string | null
  /** Those alone that may have run before. */
  readonly again: boolean
  /** With smaller ids than this one. */
  readonly before: string | null
  readonly limit: number
}

/** What a `request_id` stands for. */
export interface TurnRequestRow {
  readonly agentId: string
  readonly requestId: string
  readonly turnId: string
  /** Of the message: another one under the same id is refused. */
  readonly digest: string
  readonly usedAt: string
}

/** A turn, with whose it is: those who look at that agent are told. */
export type TurnNamed = Pick<TurnRow, 'id' | 'agentId'>

/** A right to run a turn, by its number. */
export interface TurnClaim {
  readonly id: string
  readonly claim: number
}

/** The same, with whose turn it is: those who look at that agent are told. */
export interface WaitingClaim extends TurnClaim {
  readonly agentId: string
}

/** The work of agents: claimed with a lease by the clock of the store and a number that every later write carries (P3). */
export interface TurnStore {
  add(turn: TurnRow): Promise<void>
  byId(id: string): Promise<TurnRow | null>
  detail(id: string): Promise<TurnDetail | null>
  /** The turn that an event became. */
  ofEvent(agentId: string, eventId: string): Promise<TurnRow | null>
  request(agentId: string, requestId: string, since: string): Promise<TurnRequestRow | null>
  putRequest(request: TurnRequestRow): Promise<void>
  /** Newest first. */
  list(query: TurnQuery): Promise<TurnRow[]>
  /** The last one of each of these agents that has any. */
  latest(agentIds: readonly string[]): Promise<LatestTurn[]>
  /** Those that are not over, oldest first, after an id. */
  open(after: string, limit: number): Promise<TurnRow[]>
  /** One that waits is run by `holder` from now on; null when it does not wait. */
  claim(id: string, holder: string, at: string): Promise<TurnRow | null>
  /** Keeps leases from running out. Answers the ids of those that are still claimed under these numbers. */
  renew(claims: readonly TurnClaim[]): Promise<string[]>
  /** What a run has said until now, under its claim: what is left of it if nobody sees its end. */
  keep(claim: TurnClaim, detail: TurnDetail): Promise<void>
  /** One that runs waits for a person, or goes on, under its claim. False: another has it, or it is gone. */
  wait(claim: WaitingClaim, isWaiting: boolean): Promise<boolean>
  /** Ends a run under its claim, or gives the turn back to wait. False: another has it, or it is gone; nothing was changed. */
  settle(turn: TurnRow, detail: TurnDetail): Promise<boolean>
  /** Changes one that waits. False: it does not wait any more. */
  change(turn: TurnRow): Promise<boolean>
  /** Makes one that is over wait again, with what is known of its runs. False: it is not over. */
  reopen(turn: TurnRow, detail: TurnDetail): Promise<boolean>
  /** The message of one that is over is given to its agent again by another turn. */
  retried(turn: TurnNamed, by: string): Promise<void>
  /** What an earlier daemon of this name was running: turns of events wait again, all others are `interrupted`. */
  recover(holder: string, at: string): Promise<number>
  /** When the latest turns of an agent began, since then; newest first. */
  startedSince(agentId: string, since: string, limit: number): Promise<string[]>
  /** Everything of an agent, requests too, at most `limit`. */
  remove(agentId: string, limit: number): Promise<number>
  /** Forgets turns that ended before then, and requests used before then; of each at most `limit`. */
  prune(endedBefore: string, usedBefore: string, limit: number): Promise<number>
  /** Forgets the oldest that are over, beyond the newest `keep` of an agent. */
  trim(agentId: string, keep: number, limit: number): Promise<number>
}
