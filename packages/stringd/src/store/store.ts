import type { AgentSessionStore } from './groups/agent-sessions.ts'
import type { AgentStore } from './groups/agents.ts'
import type { ApprovalStore } from './groups/approvals.ts'
import type { DeliveryStore } from './groups/deliveries.ts'
import type { EventRow, EventStore } from './groups/events.ts'
import type { MarkStore } from './groups/marks.ts'
import type { NodeStore } from './groups/nodes.ts'
import type { RelayStore, SharedChange } from './groups/relay.ts'
import type { TurnStore } from './groups/turns.ts'
import type { UsageStore } from './groups/usage.ts'

/** What is kept, by what it is about. A write that resolves is on the disk. */
export interface Groups {
  readonly agents: AgentStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
  readonly marks: MarkStore
  readonly turns: TurnStore
  readonly sessions: AgentSessionStore
  readonly usage: UsageStore
  readonly nodes: NodeStore
  readonly relay: RelayStore
  readonly approvals: ApprovalStore
}

/** Where everything is kept that must be durable and queried. Nothing above this folder knows which engine it is. */
export interface Store extends Groups {
  readonly kind: StoreKind
  /** Where it is, without a password. */
  readonly where: string
  readonly state: () => StoreState
  /**
   * One change over all groups: all of it is stored, or nothing, and then the promise rejects with what `change` threw. It
   * waits for nothing but the groups that it is given, and may run again.
   */
  transaction<T>(change: (groups: Groups) => Promise<T>): Promise<T>
  /** `listener` hears what is new until the function that is answered is called. */
  onNews(listener: (news: News) => void): () => void
  /** The same for what other nodes changed. It says "look" and nothing more, now and then without need. */
  onSign(listener: (sign: Sign) => void): () => void
  /** Writes what waits, and lets go of everything. */
  close(): Promise<void>
}

export type StoreKind = 'sqlite' | 'postgres'

export type StoreState = { readonly ok: true } | { readonly ok: false; readonly since: string; readonly reason: string }

/**
 * An agent has new events. Who has all up to `after` has with these all up to the last of them; where `after` is null,
 * only the store knows.
 */
export interface News {
  readonly agentId: string
  readonly after: string | null
  readonly events: readonly EventRow[]
}

/**
 * Something is another than it was, of which another node knows more: an agent or its turns, what a turn says, an answer, the
 * nodes; or anything, because the store was away. `watcher`: somebody watches on the node of this id.
 */
export type Sign =
  | { readonly kind: 'agent' | 'turn' | 'approval' | 'node' | 'store' | 'watcher'; readonly id: string }
  | ({ readonly kind: 'change' } & SharedChange)

/** The store cannot be asked now. What was to be written is not stored, or it is not known whether it is. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'
  readonly isDoubtful: boolean

  /** An engine may be built as a file of its own, which has a class of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StoreAway'
  }

  constructor(reason: string, isDoubtful = false) {
    super(reason)
    this.isDoubtful = isDoubtful
  }
}
