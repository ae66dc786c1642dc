import { LIMITS } from '@string-os/protocol'
import type { Appended, EventStore, NewEvent } from '../groups/events.ts'
import { eventOf } from '../stored-rows.ts'
import type { Run } from './run.ts'

/** Above every id. */
const LAST = '~'
const COLUMNS = 'agent_id, id, received_at, source, text, acked_at, hops'

/** Rows that are to be removed are locked first: of two that remove at the same time, each finds others. */
const removal = (where: string): string =>
  `DELETE FROM string.events WHERE agent_id = $1 AND id = ANY(ARRAY(
     SELECT id FROM string.events WHERE ${where} ORDER BY id LIMIT $2 FOR UPDATE))`

/** Of each agent no more than are wanted of all; their texts are read when it is known which they are. */
const listed = (name: string, which: string): { name: string; text: string; reads: true } => ({
  name,
  text: `SELECT ${COLUMNS} FROM (
      SELECT newest.agent_id, newest.id FROM unnest($1::text[]) AS named(agent) CROSS JOIN LATERAL (
        SELECT agent_id, id FROM string.events WHERE agent_id = named.agent AND id < $2 ${which}
        ORDER BY id DESC LIMIT $3) AS newest ORDER BY newest.id DESC LIMIT $3) AS found
    JOIN string.events USING (agent_id, id) ORDER BY id DESC`,
  reads: true,
})

const counted = (where: string): string =>
  `(SELECT count(*) FROM (SELECT FROM string.events WHERE agent_id = $1 AND ${where} LIMIT $2) AS counted)`

export const EVENT_QUERIES = {
  byId: {
    name: 'event_by_id',
    text: `SELECT ${COLUMNS} FROM string.events WHERE agent_id = $1 AND id = $2`,
    reads: true,
  },
  newest: {
    name: 'newest_events',
    text: `SELECT ${COLUMNS} FROM string.events WHERE agent_id = $1 ORDER BY id DESC LIMIT $2`,
    reads: true,
  },
  newestPending: {
    name: 'newest_pending_events',
    text: `SELECT ${COLUMNS} FROM string.events WHERE agent_id = $1 AND acked_at IS NULL ORDER BY id DESC LIMIT $2`,
    reads: true,
  },
  list: listed('list_events', ''),
  listPending: listed('list_pending_events', 'AND acked_at IS NULL'),
  listAcked: listed('list_acked_events', 'AND acked_at IS NOT NULL'),
  find: {
    name: 'find_event',
    text: `SELECT ${COLUMNS} FROM string.events WHERE agent_id = ANY($1::text[]) AND id = $2 LIMIT 1`,
    reads: true,
  },
  countPending: {
    name: 'count_pending_events',
    text: `SELECT pending.amount FROM unnest($1::text[]) WITH ORDINALITY AS named(agent, place) CROSS JOIN LATERAL (
        SELECT count(*) AS amount FROM (
          SELECT FROM string.events WHERE agent_id = named.agent AND acked_at IS NULL LIMIT $2) AS counted) AS pending
      ORDER BY place`,
    reads: true,
  },
  after: {
    name: 'events_after',
    text: `SELECT ${COLUMNS} FROM string.events WHERE agent_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    reads: true,
  },
  counts: {
    name: 'count_events',
    text: `SELECT ${counted('acked_at IS NULL')} AS pending, ${counted('acked_at IS NOT NULL')} AS acked`,
    reads: true,
  },
  ack: {
    name: 'ack_events',
    text: `WITH now AS (UPDATE string.events SET acked_at = $3 WHERE agent_id = $1 AND id = ANY($2::text[]) AND acked_at IS NULL)
      SELECT id FROM string.events WHERE agent_id = $1 AND id = ANY($2::text[])`,
  },
  remove: { name: 'remove_events', text: removal('agent_id = $1') },
  removeAcked: { name: 'remove_acked_events', text: removal('agent_id = $1 AND acked_at IS NOT NULL') },
  removeKeys: {
    name: 'remove_keys',
    text: `DELETE FROM string.event_keys WHERE agent_id = $1 AND key = ANY(ARRAY(
      SELECT key FROM string.event_keys WHERE agent_id = $1 ORDER BY key LIMIT $2 FOR UPDATE))`,
  },
  prune: {
    name: 'prune_events',
    text: `DELETE FROM string.events WHERE (agent_id, id) IN (
      SELECT agent_id, id FROM string.events WHERE acked_at < $1 ORDER BY acked_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  },
  pruneKeys: {
    name: 'prune_keys',
    text: `DELETE FROM string.event_keys WHERE (agent_id, key) IN (
      SELECT agent_id, key FROM string.event_keys WHERE used_at < $1 ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  },
} as const

export function eventStore(run: Run, append: (event: NewEvent) => Promise<Appended>): EventStore {
  const changed = async (...given: Parameters<Run>): Promise<number> => (await run(...given)).count
  const { byId, newest, newestPending, after, counts, ack, remove, removeAcked } = EVENT_QUERIES
  return {
    append,
    byId: async (agentId, id) => (await run(byId, [agentId, id])).rows.map(eventOf)[0] ?? null,
    newest: async (agentId, all, limit) =>
      (await run(all ? newest : newestPending, [agentId, limit])).rows.map(eventOf),
    list: async ({ agentIds, status, before, limit }) => {
      const { list, listPending, listAcked } = EVENT_QUERIES
      const query = status === null ? list : status === 'pending' ? listPending : listAcked
      return (await run(query, [agentIds, before ?? LAST, limit])).rows.map(eventOf)
    },
    find: async (agentIds, id) => (await run(EVENT_QUERIES.find, [agentIds, id])).rows.map(eventOf)[0] ?? null,
    countPending: async (agentIds, limit) =>
      (await run(EVENT_QUERIES.countPending, [agentIds, limit])).rows.map(({ amount }) => Number(amount)),
    after: async (agentId, id, limit) => (await run(after, [agentId, id, limit])).rows.map(eventOf),
    counts: async (agentId) => {
      const [row] = (await run(counts, [agentId, LIMITS.countedEvents])).rows
      return { pending: Number(row?.pending), acked: Number(row?.acked) }
    },
    ack: async (agentId, ids, at) => {
      const known = new Set((await run(ack, [agentId, ids, at])).rows.map(({ id }) => id))
      return ids.filter((id) => known.has(id))
    },
    remove: (agentId, all, limit) => changed(all ? remove : removeAcked, [agentId, limit]),
    removeKeys: (agentId, limit) => changed(EVENT_QUERIES.removeKeys, [agentId, limit]),
    prune: (ackedBefore, limit) => changed(EVENT_QUERIES.prune, [ackedBefore, limit]),
    pruneKeys: (usedBefore, limit) => changed(EVENT_QUERIES.pruneKeys, [usedBefore, limit]),
  }
}
