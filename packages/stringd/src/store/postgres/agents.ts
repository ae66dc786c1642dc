import type { AgentStore } from '../groups/agents.ts'
import { columnText } from '../stored-rows.ts'
import type { Run } from './run.ts'

export const AGENT_QUERIES = {
  last: {
    name: 'last_event_id',
    text: 'SELECT last_event_id FROM string.agents WHERE id = $1',
    reads: true,
  },
} as const

export function agentStore(run: Run): AgentStore {
  return {
    lastEventId: async (agentId) => columnText((await run(AGENT_QUERIES.last, [agentId])).rows[0]?.last_event_id) ?? '',
  }
}
