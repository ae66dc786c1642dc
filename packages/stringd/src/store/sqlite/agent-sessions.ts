import type { AgentSessionStore } from '../groups/agent-sessions.ts'
import { agentSessionOf } from '../stored-rows.ts'
import type { Access } from './access.ts'
import { removeRows } from './events.ts'
import { AGENT_SESSIONS } from './schema.ts'
import { putRow } from './sealed-row.ts'

export function sqliteAgentSessions(access: Access): AgentSessionStore {
  return {
    get: async (agentId, session) => {
      const rows = access.rows(AGENT_SESSIONS, 'WHERE agent_id = ? AND session = ?', agentId, session)
      return rows.map(agentSessionOf)[0] ?? null
    },
    put: ({ agentId, session, sessionId, hasSucceeded, usedAt }) =>
      access.write((connection) =>
        putRow(connection, AGENT_SESSIONS, {
          agent_id: agentId,
          session,
          session_id: sessionId,
          has_succeeded: hasSucceeded ? 1 : 0,
          used_at: usedAt,
        }),
      ),
    list: async (agentId, limit) =>
      access
        .rows(AGENT_SESSIONS, 'WHERE agent_id = ? ORDER BY used_at DESC LIMIT ?', agentId, limit)
        .map(agentSessionOf),
    remove: (agentId, limit) =>
      access.write((connection) => removeRows(connection, 'agent_sessions', 'agent_id = ?', agentId, limit)),
  }
}
