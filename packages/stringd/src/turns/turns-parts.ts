import type { Approvals } from '../approvals/approvals.ts'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Profiles } from './profiles.ts'
import type { AgentEnd, AgentRun } from './run-agent.ts'

/** What only this turn knows; the daemon knows where and with what it runs. */
export type TurnWork = Pick<
  AgentRun,
  | 'agent'
  | 'profile'
  | 'request'
  | 'isNew'
  | 'hops'
  | 'signal'
  | 'onPartial'
  | 'onStep'
  | 'onProcess'
  | 'onStderr'
  | 'ask'
> & { readonly turnId: string }

export interface TurnsParts {
  readonly store: Store
  /** Who runs turns: the name of this daemon, the same after a restart. */
  readonly holder: string
  readonly agent: (id: string) => Agent | undefined
  readonly profiles: Profiles
  readonly run: (work: TurnWork) => Promise<AgentEnd>
  /** Ends the processes of a turn without a grace. */
  readonly kill: (turnId: string) => Promise<void>
  readonly approvals: Approvals
  /** A turn or an agent is another than it was, without anything having been stored of it. */
  readonly changed: (kind: 'turn' | 'agent', id: string, agentId: string) => void
  /** A run of a turn said something, behind `offset` bytes. */
  readonly said: (said: { turnId: string; run: number; offset: number; text: string }) => void
  /** The other nodes, as far as turns are concerned. */
  readonly fleet: TurnsFleet
  readonly log: Log
  readonly clock: Clock
}

export interface TurnsFleet {
  /** Resolves when this node has its place among those that share the store. */
  readonly ready: () => Promise<void>
  /** Whether the agent lives here. */
  readonly isHere: (agentId: string) => boolean
  /** Whether any node may run its turns. */
  readonly isForAnyone: (agentId: string) => boolean
  /** An agent of another node whose turns may run here. */
  readonly guest: (agentId: string) => Promise<Agent | null>
  /** Its profile was read, and may say something else to the others. */
  readonly noted: (agent: Agent) => Promise<void>
  readonly nameOf: (nodeId: string) => string
  /** Beyond these no turn is taken that any node may run. */
  readonly maxTurns: number
}

/** Between two tries to reach the store. */
export const PAUSE_MS = 1_000
