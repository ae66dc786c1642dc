import type { AgentSessionStore } from '../groups/agent-sessions.ts'
import { agentSessionOf } from '../stored-rows.ts'
import type { Run } from './run.ts'

const COLUMNS = 'agent_id, session, session_id, has_succeeded, used_at'

export const SESSION_QUERIES = {
  get: {
    name: 'agent_session',
    text: `SELECT ${COLUMNS} FROM string.agent_sessions WHERE agent_id = $1 AND session = $2`,
    reads: true,
  },
  put: {
    name: 'put_agent_session',
    text: `INSERT INTO string.agent_sessions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (agent_id, session) DO UPDATE SET session_id = excluded.session_id,
        has_succeeded = excluded.has_succeeded, used_at = excluded.used_at`,
  },
  list: {
    name: 'agent_sessions',
    text: `SELECT ${COLUMNS} FROM string.agent_sessions WHERE agent_id = $1 ORDER BY used_at DESC LIMIT $2`,
    reads: true,
  },
  remove: {
    name: 'remove_agent_sessions',
    text: `DELETE FROM string.agent_sessions WHERE agent_id = $1 AND session = ANY(ARRAY(
      SELECT session FROM string.agent_sessions WHERE agent_id = $1 ORDER BY session LIMIT $2 FOR UPDATE))`,
  },
} as const

export function agentSessionStore(run: Run): AgentSessionStore {
  const { get, put, list, remove } = SESSION_QUERIES
  return {
    get: async (agentId, session) => (await run(get, [agentId, session])).rows.map(agentSessionOf)[0] ?? null,
    put: async ({ agentId, session, sessionId, hasSucceeded, usedAt }) =>
      void (await run(put, [agentId, session, sessionId, hasSucceeded, usedAt])),
    list: async (agentId, limit) => (await run(list, [agentId, limit])).rows.map(agentSessionOf),
    remove: async (agentId, limit) => (await run(remove, [agentId, limit])).count,
  }
}
