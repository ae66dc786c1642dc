import type { AgentSessionView } from '@string-os/protocol'
import { agents } from '../../data/calls.ts'
import { type Rows, useRows } from '../../data/use-rows.ts'

/** How many come at once. */
const SESSIONS = 12

/** The conversations of an agent, used last first. */
export function useSessions(agent: string): Rows<AgentSessionView> {
  return useRows(
    `sessions ${agent}`,
    {
      list: (span) => agents.sessions(agent, span),
      idOf: ({ session }) => session,
      concerns: ({ kind, agent_id }) => agent_id === agent && (kind === 'turn' || kind === 'agent'),
    },
    SESSIONS,
  )
}
