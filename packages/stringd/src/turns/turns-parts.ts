import type { Caps } from '@string-os/protocol'
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
  'agent' | 'profile' | 'request' | 'isNew' | 'hops' | 'signal' | 'onPartial' | 'onStep' | 'onStderr' | 'ask'
> & { readonly turnId: string }

export interface TurnsParts {
  readonly store: Store
  /** Who runs turns: the name of this daemon, the same after a restart. */
  readonly holder: string
  readonly agent: (id: string) => Agent | undefined
  readonly profiles: Profiles
  readonly run: (work: TurnWork) => Promise<AgentEnd>
  readonly approvals: Approvals
  /** What holds for every agent whose profile says nothing else. */
  readonly caps: () => Caps
  /** A turn or an agent is another than it was, without anything having been stored of it. */
  readonly changed: (kind: 'turn' | 'agent', id: string, agentId: string) => void
  /** A run of a turn said something, behind `offset` bytes. */
  readonly said: (said: { turnId: string; run: number; offset: number; text: string }) => void
  readonly log: Log
  readonly clock: Clock
}

/** Between two tries to reach the store. */
export const PAUSE_MS = 1_000
