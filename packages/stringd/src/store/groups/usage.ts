/** Sums over the turns of one session on one day. */
export interface UsageRow {
  /** `2026-03-19` */
  readonly day: string
  readonly agentId: string
  readonly session: string
  readonly turns: number
  readonly failed: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly costUsd: number
  readonly durationMs: number
}

export interface UsageStore {
  /** Adds to what is there. */
  add(usage: UsageRow): Promise<void>
  /** Sums by day, agent or session since a day, at most `limit`; days newest first, agents and sessions by their names. */
  list(by: 'day' | 'agent' | 'session', since: string, limit: number): Promise<UsageRow[]>
  /** The sums of an agent on a day. */
  ofDay(agentId: string, day: string): Promise<UsageRow>
  /** Everything of an agent, at most `limit`. */
  remove(agentId: string, limit: number): Promise<number>
  prune(before: string, limit: number): Promise<number>
}
