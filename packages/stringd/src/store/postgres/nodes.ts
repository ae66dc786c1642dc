import { LIMITS } from '@string-os/protocol'
import type { JoiningNode, NodeRow, NodeState, NodeStore } from '../groups/nodes.ts'
import { columnText } from '../stored-rows.ts'
import { IS_LOST } from './agents.ts'
import type { ServerRow } from './link.ts'
import type { Run } from './run.ts'

/** Names are given one after the other. */
const NAMES_LOCK = '126879297335913'

export const NODE_QUERIES = {
  lock: { name: 'lock_names', text: `SELECT pg_advisory_xact_lock(${NAMES_LOCK})` },
  own: {
    name: 'own_node',
    text: `SELECT boot, place, name, ${IS_LOST} AS is_lost FROM string.nodes AS n WHERE id = $1`,
  },
  names: {
    name: 'node_names',
    text: `SELECT name FROM string.nodes AS n WHERE id <> $1 AND NOT ${IS_LOST} ORDER BY id LIMIT $2`,
  },
  join: {
    name: 'join_nodes',
    text: `INSERT INTO string.nodes (id, boot, place, name, version, state, seen_at)
      VALUES ($1, $2, $3, $4, $5, 'up', clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET boot = excluded.boot, place = excluded.place, name = excluded.name,
        version = excluded.version, state = 'up', seen_at = excluded.seen_at`,
  },
  forget: {
    name: 'forget_nodes',
    text: `DELETE FROM string.nodes WHERE id = ANY(ARRAY(SELECT id FROM string.nodes AS n
      WHERE seen_at < clock_timestamp() - interval '${LIMITS.nodeKeepMs} milliseconds'
      AND NOT EXISTS (SELECT FROM string.agents WHERE node_id = n.id) ORDER BY id LIMIT $1))`,
  },
  beat: {
    name: 'beat',
    text: `UPDATE string.nodes AS n SET seen_at = clock_timestamp(), state = $3
      FROM string.nodes AS o WHERE n.id = $1 AND o.id = $1 AND n.boot = $2 RETURNING o.state <> $3 AS is_other`,
  },
  list: {
    name: 'list_nodes',
    text: `WITH of_nodes AS (
        SELECT a.node_id, t.ran_on, t.state, t.created_at FROM string.turns AS t LEFT JOIN string.agents AS a ON a.id = t.agent_id
        WHERE t.state IN ('queued', 'running', 'waiting') ORDER BY t.id LIMIT $2
      ) SELECT n.id, n.boot, n.name, n.version, n.state, ${IS_LOST} AS is_lost,
        1000 * extract(epoch FROM clock_timestamp() - n.seen_at) AS age_ms,
        (SELECT count(*) FROM (SELECT FROM string.agents WHERE node_id = n.id AND home IS NOT NULL LIMIT $2) AS counted) AS agents,
        (SELECT count(*) FROM of_nodes WHERE state <> 'queued' AND ran_on = n.id) AS running,
        (SELECT count(*) FROM of_nodes WHERE state = 'queued' AND node_id = n.id) AS waiting,
        (SELECT 1000 * extract(epoch FROM clock_timestamp() - min(created_at)::timestamptz) FROM of_nodes
          WHERE state = 'queued' AND node_id = n.id) AS oldest_ms
      FROM string.nodes AS n ORDER BY n.id LIMIT $1`,
    reads: true,
  },
} as const

/** `run` for one statement, `inOne` for several that are one change; `signed` when others shall look. */
export function nodeStore(
  run: Run,
  inOne: <T>(change: (run: Run) => Promise<T>) => Promise<T>,
  signed: () => void,
): NodeStore {
  const queries = NODE_QUERIES
  return {
    join: async (node) => {
      const joined = await inOne((part) => join(part, node))
      if (joined.ok) signed()
      return joined
    },
    beat: async (id, boot, state) => {
      const [beaten] = (await run(queries.beat, [id, boot, state])).rows
      if (beaten?.is_other === true) signed()
      return beaten !== undefined
    },
    list: async (limit) => {
      const { rows } = await run(queries.list, [limit, LIMITS.countedTurns])
      return rows.map(nodeOf).toSorted((one, other) => (one.name < other.name ? -1 : 1))
    },
  }
}

async function join(run: Run, { id, boot, place, name, version }: JoiningNode): ReturnType<NodeStore['join']> {
  const queries = NODE_QUERIES
  await run(queries.lock)
  const [own] = (await run(queries.own, [id])).rows
  // Who has the lock of the same folder knows that the one before is gone.
  if (own !== undefined && own.boot !== boot && own.place !== place && own.is_lost !== true)
    return { ok: false, error: copied(String(own.name), String(own.place)) }
  const taken = new Set((await run(queries.names, [id, LIMITS.listedNodes])).rows.map((row) => String(row.name)))
  const free = freeName(name, taken)
  await run(queries.join, [id, boot, place, free, version])
  await run(queries.forget, [LIMITS.removedAtOnce])
  return { ok: true, name: free }
}

function copied(name: string, place: string): string {
  return `This data folder is a copy of that of node ${name} (${place}), which is in use: remove the file "id" here, and this one is a node of its own`
}

/** `NAME`, or `NAME-2` where another has it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`
  return free
}

function nodeOf(row: ServerRow): NodeRow {
  return {
    id: String(row.id),
    boot: String(row.boot),
    name: String(row.name),
    version: columnText(row.version) ?? '',
    state: stateOf(row),
    heartbeatAgeMs: Math.max(0, Math.round(Number(row.age_ms))),
    agents: Number(row.agents),
    running: Number(row.running),
    waiting: Number(row.waiting),
    oldestWaitingMs: row.oldest_ms === null ? null : Math.max(0, Math.round(Number(row.oldest_ms))),
  }
}

function stateOf({ state, is_lost }: ServerRow): NodeState {
  if (state === 'stopped') return 'stopped'
  if (is_lost === true) return 'lost'
  return state === 'draining' ? 'draining' : 'up'
}
