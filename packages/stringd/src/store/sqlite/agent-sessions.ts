import type { AgentSession, AgentSessionStore } from '../groups/agent-sessions.ts'
import type { Access } from './access.ts'
import type { Row } from './connection.ts'
import { removeRows } from './events.ts'
import { textOrNull } from './row-value.ts'
import { AGENT_SESSIONS } from './schema.ts'
import { putRow } from './sealed-row.ts'

export function sqliteAgentSessions(access: Access): AgentSessionStore {
  return {
    get: async (agentId, session) => {
      const rows = access.rows(AGENT_SESSIONS, 'WHERE agent_id = ? AND session = ?', agentId, session)
      return rows.map(sessionOf)[0] ?? null
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
      access.rows(AGENT_SESSIONS, 'WHERE agent_id = ? ORDER BY used_at DESC LIMIT ?', agentId, limit).map(sessionOf),
    remove: (agentId, limit) =>
      access.write((connection) => removeRows(connection, 'agent_sessions', 'agent_id = ?', agentId, limit)),
  }
}

function sessionOf(row: Row): AgentSession {
  return {
    agentId: String(row.agent_id),
    session: String(row.session),
    sessionId: textOrNull(row.session_id),
    hasSucceeded: row.has_succeeded === 1,
    usedAt: String(row.used_at),
  }
}
