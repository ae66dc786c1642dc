import { LIMITS } from '@string-os/protocol'
import type { DeliveryPart, DeliveryRow, DeliveryStore } from '../groups/deliveries.ts'
import { inBatches } from '../in-batches.ts'
import { isoTime } from '../iso-time.ts'
import { columnText, deliveryOf } from '../stored-rows.ts'
import type { Query } from './link.ts'
import type { Run } from './run.ts'

const COLUMNS = 'id, agent_id, channel, target, text, state, tries, created_at, next_at, reason, claim'
/** Where its channels are known: at the node on which its agent lives. */
const OURS = `NOT EXISTS (SELECT FROM string.agents AS a WHERE a.id = agent_id AND a.node_id IS NOT NULL AND a.node_id <> $1)`
/** By the clock of the server: those of daemons differ. */
const LEASE = `clock_timestamp() + interval '${LIMITS.leaseMs} milliseconds'`

export const DELIVERY_QUERIES = {
  add: {
    name: 'add_delivery',
    text: `INSERT INTO string.deliveries
        (id, agent_id, channel, target, text, created_at, holder, state, tries, claim, lease_until)
      VALUES ($1, $2, $3, $4, $5, $6, $7, 'trying', 0, 1, ${LEASE}) RETURNING ${COLUMNS}`,
  },
  claim: {
    name: 'claim_deliveries',
    text: `WITH lost AS (
        SELECT id FROM string.deliveries WHERE state = 'trying' AND lease_until < statement_timestamp() AND ${OURS}
        ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED
      ), due AS (
        SELECT id FROM string.deliveries WHERE state = 'waiting' AND next_at <= $2 AND ${OURS}
        ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
      ), chosen AS (SELECT id FROM lost UNION ALL SELECT id FROM due LIMIT $3)
      UPDATE string.deliveries SET state = 'trying', holder = $1, claim = claim + 1, lease_until = ${LEASE}
      WHERE id = ANY(ARRAY(SELECT id FROM chosen)) RETURNING ${COLUMNS}`,
  },
  settle: {
    name: 'settle_delivery',
    text: `UPDATE string.deliveries
      SET state = $3, tries = $4, next_at = $5, reason = $6, holder = NULL, lease_until = NULL
      WHERE id = $1 AND claim = $2 AND state = 'trying'`,
  },
  release: {
    name: 'release_deliveries',
    text: `UPDATE string.deliveries SET state = 'waiting', next_at = $2, holder = NULL, lease_until = NULL
      WHERE id = ANY(ARRAY(
        SELECT id FROM string.deliveries WHERE state = 'trying' AND holder = $1 LIMIT $3 FOR UPDATE SKIP LOCKED))`,
  },
  nextAt: {
    name: 'next_delivery',
    text: `SELECT (SELECT next_at FROM string.deliveries WHERE state = 'waiting' AND ${OURS} ORDER BY next_at LIMIT 1) AS due,
      (SELECT 1000 * extract(epoch FROM lease_until - clock_timestamp()) FROM string.deliveries WHERE state = 'trying'
        AND ${OURS} ORDER BY lease_until LIMIT 1) AS lease_ms`,
    reads: true,
  },
  byId: { name: 'delivery', text: `SELECT ${COLUMNS} FROM string.deliveries WHERE id = $1`, reads: true },
  retry: {
    name: 'retry_delivery',
    text: `UPDATE string.deliveries SET state = 'waiting', next_at = $2, created_at = $2
      WHERE id = $1 AND state IN ('waiting', 'failed')`,
  },
  countOpen: {
    name: 'count_open_deliveries',
    text: `SELECT count(*) AS open FROM (
      SELECT FROM string.deliveries WHERE agent_id = $1 AND state IN ('waiting', 'trying') LIMIT $2) AS counted`,
    reads: true,
  },
  remove: {
    name: 'remove_deliveries',
    text: `DELETE FROM string.deliveries WHERE id = ANY(ARRAY(
      SELECT id FROM string.deliveries WHERE agent_id = $1 ORDER BY created_at, number LIMIT $2 FOR UPDATE))`,
  },
  prune: {
    name: 'prune_deliveries',
    text: `DELETE FROM string.deliveries WHERE id = ANY(ARRAY(
      SELECT id FROM string.deliveries WHERE state IN ('sent', 'failed') AND created_at < $1
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
} as const

/** `now` is the clock of this daemon, in which `nextAt` is told. */
export function deliveryStore(run: Run, now: () => number): DeliveryStore {
  const changed = async (...given: Parameters<Run>): Promise<number> => (await run(...given)).count
  const { add, claim, settle, release, nextAt, countOpen, remove, prune } = DELIVERY_QUERIES
  return {
    add: async ({ id, agentId, channel, target, text, createdAt }, holder) => {
      const { rows } = await run(add, [id, agentId, channel, target, Buffer.from(text), createdAt, holder])
      return deliveryOf(rows[0] ?? {})
    },
    claim: async (holder, at, limit) => {
      const { rows } = await run(claim, [holder, at, limit])
      return rows.map(deliveryOf).toSorted(byWait)
    },
    settle: async ({ id, claim: number, state, tries, nextAt: at, reason }) =>
      (await changed(settle, [id, number, state, tries, at, reason])) > 0,
    release: (holder, at) => inBatches((limit) => changed(release, [holder, at, limit])),
    nextAt: async (holder) => {
      const [row] = (await run(nextAt, [holder])).rows
      const lease = row?.lease_ms === null ? null : isoTime(now() + Math.max(0, Number(row?.lease_ms)))
      const times = [columnText(row?.due), lease].filter((time) => time !== null)
      return times.toSorted()[0] ?? null
    },
    newest: async (agentId, limit, part = {}) => {
      const { name, text, values } = deliveryListQuery(agentId, limit, part)
      return (await run({ name, text, reads: true }, values)).rows.map(deliveryOf)
    },
    byId: async (id) => (await run(DELIVERY_QUERIES.byId, [id])).rows.map(deliveryOf)[0] ?? null,
    retry: async (id, at) => (await changed(DELIVERY_QUERIES.retry, [id, at])) > 0,
    countOpen: async (agentId, limit) => Number((await run(countOpen, [agentId, limit])).rows[0]?.open),
    remove: (agentId, limit) => changed(remove, [agentId, limit]),
    prune: (before, limit) => changed(prune, [before, limit]),
  }
}

/** One statement for each set of conditions, so that each is prepared once; the state is a part of it, as it is of indexes. */
export function deliveryListQuery(
  agentId: string | null,
  limit: number,
  { state = null, before = null }: DeliveryPart,
): Query & { values: unknown[] } {
  const older = '(created_at, number) < (SELECT created_at, number FROM string.deliveries WHERE id ='
  const wanted: readonly (readonly [name: string, condition: (value: string) => string, value: string | null])[] = [
    ['agent', (value) => `agent_id = ${value}`, agentId],
    ['before', (value) => `${older} ${value})`, before],
  ]
  const given = wanted.filter(([, , value]) => value !== null)
  const conditions = [
    ...given.map(([, condition], index) => condition(`$${index + 1}`)),
    ...(state === null ? [] : [`state = '${state}'`]),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return {
    name: ['list_deliveries', ...given.map(([name]) => name), ...(state === null ? [] : [state])].join('_'),
    text: `SELECT ${COLUMNS} FROM string.deliveries ${where}
      ORDER BY created_at DESC, number DESC LIMIT $${given.length + 1}`,
    values: [...given.map(([, , value]) => value), limit],
  }
}

/** What never waited was cut off in its first try. */
function byWait(one: DeliveryRow, other: DeliveryRow): number {
  const [a, b] = [one.nextAt ?? '', other.nextAt ?? '']
  return a === b ? 0 : a < b ? -1 : 1
}
