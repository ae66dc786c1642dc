import type { UsageStore } from '../groups/usage.ts'
import { usageOf } from '../stored-rows.ts'
import type { Query } from './link.ts'
import type { Run } from './run.ts'

const SUMMED = ['turns', 'failed', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_usd', 'duration_ms']
const SUMS = SUMMED.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', ')
/** Rows that are summed up for one answer. */
const MOST = 100_000

function sumsBy(name: string, columns: string, order: string): Query {
  return {
    name,
    text: `SELECT ${columns}, ${SUMS} FROM (SELECT * FROM string.usage WHERE day >= $1 ORDER BY day DESC LIMIT ${MOST}) AS latest
      GROUP BY ${columns} ORDER BY ${order} LIMIT $2`,
    reads: true,
  }
}

export const USAGE_QUERIES = {
  add: {
    name: 'add_usage',
    text: `INSERT INTO string.usage AS u (day, agent_id, session, ${SUMMED.join(', ')})
      VALUES (${Array.from({ length: 10 }, (_, index) => `$${index + 1}`).join(', ')})
      ON CONFLICT (agent_id, day, session) DO UPDATE SET ${SUMMED.map((name) => `${name} = u.${name} + excluded.${name}`).join(', ')}`,
  },
  byDay: sumsBy('usage_by_day', 'day', 'day DESC'),
  byAgent: sumsBy('usage_by_agent', 'agent_id', 'agent_id'),
  bySession: sumsBy('usage_by_session', 'agent_id, session', 'agent_id, session'),
  ofDay: {
    name: 'usage_of_day',
    text: `SELECT ${SUMS} FROM (SELECT * FROM string.usage WHERE agent_id = $1 AND day = $2 LIMIT ${MOST}) AS sessions`,
    reads: true,
  },
  remove: {
    name: 'remove_usage',
    text: `DELETE FROM string.usage WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM string.usage WHERE agent_id = $1 ORDER BY day LIMIT $2 FOR UPDATE))`,
  },
  prune: {
    name: 'prune_usage',
    text: `DELETE FROM string.usage WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM string.usage WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
} as const

export function usageStore(run: Run): UsageStore {
  const { add, byDay, byAgent, bySession, ofDay, remove, prune } = USAGE_QUERIES
  const by = { day: byDay, agent: byAgent, session: bySession }
  return {
    add: async ({
      day,
      agentId,
      session,
      turns,
      failed,
      inputTokens,
      outputTokens,
      totalTokens,
      costUsd,
      durationMs,
    }) => {
      const sums = [turns, failed, inputTokens, outputTokens, totalTokens, costUsd, durationMs]
      await run(add, [day, agentId, session, ...sums])
    },
    list: async (what, since, limit) => (await run(by[what], [since, limit])).rows.map(usageOf),
    ofDay: async (agentId, day) => ({ ...usageOf((await run(ofDay, [agentId, day])).rows[0] ?? {}), agentId, day }),
    remove: async (agentId, limit) => (await run(remove, [agentId, limit])).count,
    prune: async (before, limit) => (await run(prune, [before, limit])).count,
  }
}
