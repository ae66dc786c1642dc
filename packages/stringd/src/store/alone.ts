import type { AgentStore } from './groups/agents.ts'
import type { NodeStore } from './groups/nodes.ts'
import type { RelayStore } from './groups/relay.ts'

/** What a store says that only one daemon can use: there is nobody else, and all that is known about agents is in `agents.json`. */
export const ALONE_AGENTS: Omit<AgentStore, 'lastEventId'> = {
  place: async () => [],
  find: async () => null,
  byToken: async () => null,
  list: async () => [],
  withdraw: async () => true,
  putToken: async () => false,
  hold: async () => false,
  wantAt: async () => undefined,
  move: async () => undefined,
  anywhere: async () => [],
  adopt: async () => [],
  ownerOfDefault: async (nodeId) => nodeId,
}

export const ALONE_NODES: NodeStore = {
  join: async ({ name }) => ({ ok: true, name }),
  beat: async () => true,
  list: async () => [],
}

export const ALONE_RELAY: RelayStore = {
  openOf: async () => [],
  busy: async () => [],
  forAnyone: async () => [],
  askCancel: async () => false,
  askNews: async () => false,
  tell: async () => true,
  heard: async () => [],
  changed: async () => undefined,
  sweep: async () => [],
  sweepAgent: async () => [],
  giveUp: async () => undefined,
  story: async () => ({ nodeId: null, lost: [] }),
  wantChanges: () => undefined,
  tellChange: () => undefined,
}
