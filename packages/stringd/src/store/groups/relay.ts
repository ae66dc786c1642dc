import type { TurnEvent } from '@string-os/protocol'
import type { TurnRow } from './turns.ts'

/** A turn that is not over, and what other nodes want of it. */
export interface OpenTurn {
  readonly turn: TurnRow
  readonly isCancelAsked: boolean
  /** As whoever asked for it has named it. */
  readonly cancelReason: string | null
  readonly isFollowed: boolean
  /** The node that runs it, or ran it last. */
  readonly nodeId: string | null
}

/** What a run has said, in parts. */
export interface TurnNews {
  readonly place: number
  /** Of the run. */
  readonly claim: number
  readonly events: readonly TurnEvent[]
}

/** An agent with turns that are not over. */
export interface BusyAgent {
  readonly agentId: string
  readonly running: number
  readonly queued: number
  /** One of those that run waits for a person. */
  readonly isAsking: boolean
  /** The one that runs longest, and since when. */
  readonly turnId: string | null
  readonly since: string | null
}

/** A run of which nobody saw the end, because its node was not heard of any more. */
export interface LostRun {
  readonly nodeId: string
  readonly startedAt: string
  readonly foundAt: string
}

/** A turn that was given up, because nobody runs it any more. */
export interface SweptTurn {
  readonly id: string
  readonly agentId: string
}

/** Where a turn ran last, and which runs before were lost. */
export interface TurnStory {
  readonly nodeId: string | null
  readonly lost: readonly LostRun[]
}

/** What those who watch on other nodes are told. */
export interface SharedChange {
  /** `all`: more than can be told. */
  readonly of: 'agent' | 'turn' | 'event' | 'delivery' | 'approval' | 'webhook' | 'all'
  readonly id: string
  readonly agentId: string
  readonly isDeleted: boolean
}

/** What nodes let each other know about turns. Where there is one node, nothing. */
export interface RelayStore {
  /** Those of an agent that are not over, by id, after one. */
  openOf(agentId: string, after: string, limit: number): Promise<OpenTurn[]>
  /** Those of these agents that have any of them; of each so many are counted. */
  busy(agentIds: readonly string[], limit: number): Promise<BusyAgent[]>
  /** Turns of these agents that wait for nothing but somebody who runs them. */
  forAnyone(agentIds: readonly string[], at: string, limit: number): Promise<TurnRow[]>
  /** Whoever runs the turn shall end it. False: nobody runs it. */
  askCancel(id: string, reason: string): Promise<boolean>
  /** Whoever runs the turn shall tell what it says. False: it is over. */
  askNews(id: string): Promise<boolean>
  /** Told under the claim of the run. False: another has it, or it is over. */
  tell(id: string, claim: number, events: readonly TurnEvent[]): Promise<boolean>
  heard(id: string, after: number, limit: number): Promise<TurnNews[]>
  /** A turn is another than it was: whoever follows it looks. */
  changed(id: string): Promise<void>
  /** Runs whose lease is over: turns of events wait again, all others are `interrupted`. */
  sweep(at: string, limit: number): Promise<SweptTurn[]>
  /** The same for what a node runs of an agent, before its leases are over. */
  sweepAgent(agentId: string, at: string): Promise<SweptTurn[]>
  /** The same for one run, of which its own node knows nothing. */
  giveUp(id: string, claim: number, at: string): Promise<void>
  story(id: string): Promise<TurnStory>
  /** Somebody watches on this node: the others shall tell what changes. */
  wantChanges(nodeId: string): void
  /** Whoever watches elsewhere hears of it. */
  tellChange(change: SharedChange): void
}
