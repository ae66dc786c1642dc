/** What every daemon must agree on about an agent. */
export interface AgentStore {
  /** The greatest id that an event of the agent ever had, or a greater one; empty when it had none. */
  lastEventId(agentId: string): Promise<string>
  /** These live on the node from now on, as they are given; a token that is stored stays. Answers those that live elsewhere: of them nothing was changed. */
  place(agents: readonly (SharedAgent & Partial<AgentTraits>)[], nodeId: string): Promise<PlacedAgent[]>
  /** An agent that some node has; null where none has, and where there is but one node. */
  find(agentId: string): Promise<PlacedAgent | null>
  /** The agent whose webhook has this token. */
  byToken(token: string): Promise<PlacedAgent | null>
  /** Of one node or of all, by id, after one. */
  list(nodeId: string | null, after: string, limit: number): Promise<PlacedAgent[]>
  /** The agent lives nowhere any more. False: it lives elsewhere. */
  withdraw(agentId: string, nodeId: string): Promise<boolean>
  putToken(agentId: string, token: string): Promise<boolean>
  /**
   * Until the transaction ends nobody else holds the agent; whoever it concerns is told to look at it. False: there is
   * nobody else.
   */
  hold(agentId: string): Promise<boolean>
  /** No turn of it begins until it lives on the node, or until nobody wants that any more (null). */
  wantAt(agentId: string, nodeId: string | null): Promise<void>
  /** It lives on the node from now on, wherever it lived. */
  move(agent: SharedAgent, nodeId: string): Promise<void>
  /** Agents whose turns any node may run, by id, after one. */
  anywhere(after: string, limit: number): Promise<string[]>
  /** Agents that any node may run, of nodes that are lost, live on this one now. Answers which. */
  adopt(nodeId: string, limit: number): Promise<PlacedAgent[]>
  /** Whose the agent `default` is in the store: of the first node that asks. Others have one of their own under another id. */
  ownerOfDefault(nodeId: string): Promise<string>
}

/** Where the turns of an agent may run: where its home is, or on every node, which all have that folder. */
export type Placement = 'home' | 'any'
export type BusyRule = 'queue' | 'collect' | 'interrupt' | 'refuse'

/** What other nodes know about an agent. */
export interface SharedAgent {
  readonly id: string
  readonly home: string
  readonly profile: string | null
  readonly allowedPaths: readonly string[]
  readonly createdAt: string
  readonly webhookToken: string | null
}

/** What others must know of its profile, which only its node can read. */
export interface AgentTraits {
  readonly placement: Placement
  readonly whenBusy: BusyRule
}

export interface PlacedAgent extends SharedAgent, AgentTraits {
  readonly nodeId: string
  /** As people call it. */
  readonly node: string
}
