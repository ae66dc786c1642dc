/** What an agent said about one of its sessions. */
export interface AgentSession {
  readonly agentId: string
  readonly session: string
  /** What it called it itself; null where it said nothing. */
  readonly sessionId: string | null
  /** Whether a turn of it has succeeded: then it is not new any more. */
  readonly hasSucceeded: boolean
  readonly usedAt: string
}

export interface AgentSessionStore {
  get(agentId: string, session: string): Promise<AgentSession | null>
  put(session: AgentSession): Promise<void>
  /** Used last first. */
  list(agentId: string, limit: number): Promise<AgentSession[]>
  /** Everything of an agent, at most `limit`. */
  remove(agentId: string, limit: number): Promise<number>
}
