import { hash } from 'node:crypto'
import { DEFAULT_AGENT, LIMITS, parseJson } from '@string-os/protocol'
import type { AgentStore, BusyRule, PlacedAgent } from '../groups/agents.ts'
import { columnText } from '../stored-rows.ts'
import type { ServerRow } from './link.ts'
import type { Run } from './run.ts'

/** A row that was made for events alone has no home. */
const COLUMNS = `a.id, a.node_id, n.name AS node, a.home, a.profile, a.allowed_paths, a.created_at, a.token, a.placement, a.when_busy`
const FROM = 'FROM string.agents AS a LEFT JOIN string.nodes AS n ON n.id = a.node_id'
const SIGNED = 'signed_in = pg_current_xact_id()'
/** Without an event yet, and never the first in the order of changes. */
const NEW = "'', '', pg_current_xact_id()"
/** By the clock of the server. */
export const IS_LOST = `(n.state = 'stopped' OR n.seen_at < clock_timestamp() - interval '${LIMITS.nodeLostMs} milliseconds')`

export const AGENT_QUERIES = {
  last: {
    name: 'last_event_id',
    text: 'SELECT last_event_id FROM string.agents WHERE id = $1',
    reads: true,
  },
  place: {
    name: 'place_agents',
    text: `INSERT INTO string.agents AS kept (id, home, profile, allowed_paths, created_at, token, token_digest, placement,
        when_busy, node_id, last_event_id, previous_event_id, changed_in)
      SELECT given.id, home, profile, allowed, created, token, digest, coalesce(placement, 'home'), coalesce(busy, 'queue'),
        $10, ${NEW} FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::text[]) AS given (id, home, profile, allowed, created, token, digest, placement, busy)
      ORDER BY given.id COLLATE "C"
      ON CONFLICT (id) DO UPDATE SET node_id = excluded.node_id, home = excluded.home, profile = excluded.profile,
        allowed_paths = excluded.allowed_paths, created_at = coalesce(kept.created_at, excluded.created_at),
        token = coalesce(kept.token, excluded.token), token_digest = coalesce(kept.token_digest, excluded.token_digest),
        (placement, when_busy) = (SELECT coalesce(given.placement, kept.placement), coalesce(given.busy, kept.when_busy)
          FROM unnest($1::text[], $8::text[], $9::text[]) AS given (id, placement, busy) WHERE given.id = excluded.id)
      WHERE kept.node_id IS NULL OR kept.node_id = excluded.node_id`,
  },
  elsewhere: {
    name: 'agents_elsewhere',
    text: `SELECT ${COLUMNS} ${FROM} WHERE a.id = ANY($1::text[]) AND a.node_id <> $2`,
    reads: true,
  },
  find: {
    name: 'find_agent',
    text: `SELECT ${COLUMNS} ${FROM} WHERE a.id = $1 AND a.node_id IS NOT NULL AND a.home IS NOT NULL`,
    reads: true,
  },
  byToken: { name: 'agent_by_token', text: `SELECT ${COLUMNS} ${FROM} WHERE a.token_digest = $1 LIMIT 1`, reads: true },
  list: {
    name: 'list_agents',
    text: `SELECT ${COLUMNS} ${FROM} WHERE a.id > $1 AND a.node_id IS NOT NULL AND a.home IS NOT NULL ORDER BY a.id LIMIT $2`,
    reads: true,
  },
  listOf: {
    name: 'list_agents_of',
    text: `SELECT ${COLUMNS} ${FROM} WHERE a.node_id = $1 AND a.id > $2 AND a.home IS NOT NULL ORDER BY a.id LIMIT $3`,
    reads: true,
  },
  withdraw: {
    name: 'withdraw_agent',
    text: `UPDATE string.agents SET node_id = NULL, wanted_at = NULL, token = NULL, token_digest = NULL, ${SIGNED}
      WHERE id = $1 AND node_id = $2`,
  },
  putToken: {
    name: 'put_agent_token',
    text: `UPDATE string.agents SET token = $2, token_digest = $3, ${SIGNED} WHERE id = $1 AND node_id IS NOT NULL`,
  },
  hold: {
    name: 'hold_agent',
    text: `INSERT INTO string.agents (id, last_event_id, previous_event_id, changed_in, signed_in)
      VALUES ($1, ${NEW}, pg_current_xact_id()) ON CONFLICT (id) DO UPDATE SET signed_in = excluded.signed_in`,
  },
  wantAt: { name: 'want_agent', text: `UPDATE string.agents SET wanted_at = $2, ${SIGNED} WHERE id = $1` },
  move: {
    name: 'move_agent',
    text: `UPDATE string.agents SET node_id = $2, wanted_at = NULL, home = $3, profile = $4, allowed_paths = $5, ${SIGNED}
      WHERE id = $1`,
  },
  anywhere: {
    name: 'agents_anywhere',
    text: `SELECT id FROM string.agents
      WHERE placement = 'any' AND id > $1 AND node_id IS NOT NULL AND wanted_at IS NULL ORDER BY id LIMIT $2`,
    reads: true,
  },
  adopt: {
    name: 'adopt_agents',
    text: `WITH left_alone AS (
        SELECT a.id FROM unnest(ARRAY(SELECT id FROM string.nodes AS n WHERE ${IS_LOST} AND id <> $1 ORDER BY id)) AS gone (node),
          LATERAL (SELECT id FROM string.agents WHERE placement = 'any' AND node_id = gone.node LIMIT $2
            FOR UPDATE SKIP LOCKED) AS a LIMIT $2
      ), adopted AS (
        UPDATE string.agents SET node_id = $1, wanted_at = NULL, ${SIGNED}
        WHERE id = ANY(ARRAY(SELECT id FROM left_alone)) RETURNING *
      ) SELECT a.*, n.name AS node FROM adopted AS a LEFT JOIN string.nodes AS n ON n.id = a.node_id`,
  },
  ownerOfDefault: {
    name: 'owner_of_default',
    text: `INSERT INTO string.agents AS kept (id, node_id, last_event_id, previous_event_id, changed_in)
      VALUES ('${DEFAULT_AGENT}', $1, ${NEW})
      ON CONFLICT (id) DO UPDATE SET node_id = coalesce(kept.node_id, excluded.node_id) RETURNING node_id`,
  },
} as const

/** `signed` hears of each agent that others shall look at. */
export function agentStore(run: Run, signed: (agentId: string) => void): AgentStore {
  const queries = AGENT_QUERIES
  const placed = async (...given: Parameters<Run>): Promise<PlacedAgent[]> => (await run(...given)).rows.map(placedOf)
  const change = async (agentId: string, ...given: Parameters<Run>): Promise<boolean> => {
    const { count } = await run(...given)
    if (count > 0) signed(agentId)
    return count > 0
  }
  return {
    lastEventId: async (agentId) => columnText((await run(queries.last, [agentId])).rows[0]?.last_event_id) ?? '',
    place: async (agents, nodeId) => {
      if (agents.length === 0) return []
      await run(queries.place, [...columnsOf(agents), nodeId])
      return placed(queries.elsewhere, [agents.map(({ id }) => id), nodeId])
    },
    find: async (agentId) => (await placed(queries.find, [agentId]))[0] ?? null,
    byToken: async (token) => (await placed(queries.byToken, [digest(token)]))[0] ?? null,
    list: (nodeId, after, limit) =>
      nodeId === null ? placed(queries.list, [after, limit]) : placed(queries.listOf, [nodeId, after, limit]),
    withdraw: async (agentId, nodeId) => {
      if (await change(agentId, queries.withdraw, [agentId, nodeId])) return true
      return (await run(queries.find, [agentId])).count === 0
    },
    putToken: (agentId, token) => change(agentId, queries.putToken, [agentId, token, digest(token)]),
    hold: (agentId) => change(agentId, queries.hold, [agentId]),
    wantAt: async (agentId, nodeId) => void (await change(agentId, queries.wantAt, [agentId, nodeId])),
    move: async ({ id, home, profile, allowedPaths }, nodeId) =>
      void (await change(id, queries.move, [id, nodeId, home, profile, JSON.stringify(allowedPaths)])),
    anywhere: async (after, limit) => (await run(queries.anywhere, [after, limit])).rows.map(({ id }) => String(id)),
    adopt: async (nodeId, limit) => {
      const adopted = await placed(queries.adopt, [nodeId, limit])
      for (const { id } of adopted) signed(id)
      return adopted
    },
    ownerOfDefault: async (nodeId) => String((await run(queries.ownerOfDefault, [nodeId])).rows[0]?.node_id),
  }
}

function columnsOf(agents: Parameters<AgentStore['place']>[0]): unknown[] {
  return [
    agents.map(({ id }) => id),
    agents.map(({ home }) => home),
    agents.map(({ profile }) => profile),
    agents.map(({ allowedPaths }) => JSON.stringify(allowedPaths)),
    agents.map(({ createdAt }) => createdAt),
    agents.map(({ webhookToken }) => webhookToken),
    agents.map(({ webhookToken }) => (webhookToken === null ? null : digest(webhookToken))),
    agents.map(({ placement }) => placement ?? null),
    agents.map(({ whenBusy }) => whenBusy ?? null),
  ]
}

function placedOf(row: ServerRow): PlacedAgent {
  const paths = parseJson(columnText(row.allowed_paths) ?? '[]')
  return {
    id: String(row.id),
    home: columnText(row.home) ?? '',
    profile: columnText(row.profile),
    allowedPaths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    createdAt: columnText(row.created_at) ?? '',
    webhookToken: columnText(row.token),
    placement: row.placement === 'any' ? 'any' : 'home',
    whenBusy: WHEN_BUSY.find((each) => each === row.when_busy) ?? 'queue',
    nodeId: String(row.node_id),
    node: columnText(row.node) ?? String(row.node_id),
  }
}

const WHEN_BUSY: readonly BusyRule[] = ['queue', 'collect', 'interrupt', 'refuse']

/** Found by it, so that the time tells nothing about the token. */
function digest(token: string): string {
  return hash('sha256', token, 'base64')
}
