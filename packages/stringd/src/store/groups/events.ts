/** An event as it is stored; its text is kept as the bytes that came, which may hold U+0000. */
export interface EventRow {
  readonly id: string
  readonly agentId: string
  readonly receivedAt: string
  readonly source: string
  readonly text: string
  readonly status: 'pending' | 'acked'
  readonly ackedAt: string | null
  /** How many agents the text has passed through. */
  readonly hops: number
}

/** An event that has come and has no id yet. */
export interface NewEvent {
  readonly agentId: string
  readonly receivedAt: string
  readonly source: string
  readonly text: string
  readonly hops: number
  /** A sender's own name for it: where that was used since then, the first event is meant. */
  readonly key: { readonly name: string; readonly since: string } | null
}

/** `event` is null where a key stood for an earlier one, whose id it is then. */
export interface Appended {
  readonly id: string
  readonly event: EventRow | null
}

/** At most `LIMITS.countedEvents` of each are counted. */
export interface EventCounts {
  readonly pending: number
  readonly acked: number
}

export interface EventQuery {
  /** Whose; one or all that there are. */
  readonly agentIds: readonly string[]
  readonly status: EventRow['status'] | null
  /** With smaller ids than this one. */
  readonly before: string | null
  readonly limit: number
}

export interface EventStore {
  /** Stored when it resolves. Events of one agent become visible in the order of their ids (P2). */
  append(event: NewEvent): Promise<Appended>
  byId(agentId: string, id: string): Promise<EventRow | null>
  /** Newest first; without `all` those that nobody has dealt with. */
  newest(agentId: string, all: boolean, limit: number): Promise<EventRow[]>
  /** Newest first, over several agents. */
  list(query: EventQuery): Promise<EventRow[]>
  /** One of these agents' event with this id. */
  find(agentIds: readonly string[], id: string): Promise<EventRow | null>
  /** How many of each agent nobody has dealt with, in their order; counted up to `limit`. */
  countPending(agentIds: readonly string[], limit: number): Promise<number[]>
  /** What came after an id, oldest first. */
  after(agentId: string, id: string, limit: number): Promise<EventRow[]>
  counts(agentId: string): Promise<EventCounts>
  /** Those of the ids that are events of this agent; all of them are acknowledged now. */
  ack(agentId: string, ids: readonly string[], at: string): Promise<string[]>
  /** Removes events of an agent, at most `limit`, and tells how many: none is left when that is less. */
  remove(agentId: string, all: boolean, limit: number): Promise<number>
  /** Forgets the senders' keys of an agent, at most `limit`. */
  removeKeys(agentId: string, limit: number): Promise<number>
  /** Forgets what was dealt with before then, at most `limit`. */
  prune(ackedBefore: string, limit: number): Promise<number>
  pruneKeys(usedBefore: string, limit: number): Promise<number>
}
