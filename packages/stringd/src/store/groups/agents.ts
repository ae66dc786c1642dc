/** What every daemon must agree on about an agent. */
export interface AgentStore {
  /** The greatest id that an event of the agent ever had, or a greater one; empty when it had none. */
  lastEventId(agentId: string): Promise<string>
}
