import type { AgentMoved, FleetView } from '@string-os/protocol'
import { type Caller, type ListPart, queryOf } from './calls.ts'
import { known } from './option-names.ts'
import type { MoveOptions } from './options.ts'

/** `client.fleet` */
export interface FleetCalls {
  /** The nodes that share the store of this daemon, by name, all or `limit` behind one; and its own name. */
  readonly nodes: (part?: ListPart) => Promise<FleetView>
  /** No turn begins on this node until it is resumed or restarted; what runs goes on. */
  readonly drain: () => Promise<FleetView>
  readonly resume: () => Promise<FleetView>
  /** An agent of another node lives on this one from then on. */
  readonly move: (agent: string, options?: MoveOptions) => Promise<AgentMoved>
}

export function fleetCalls({ json }: Caller): FleetCalls {
  return {
    nodes: async (part = {}) => {
      const { limit, before } = known('fleet.nodes', part)
      return json({ method: 'GET', path: `/fleet${queryOf({ limit, before })}` })
    },
    drain: () => json({ method: 'POST', path: '/fleet/drain' }),
    resume: () => json({ method: 'POST', path: '/fleet/resume' }),
    move: async (agent, options = {}) => {
      const { home, now } = known('fleet.move', options)
      return json({ method: 'POST', path: '/fleet/move', body: { agent_id: agent, home, now } })
    },
  }
}
