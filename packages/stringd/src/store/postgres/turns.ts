import { LIMITS } from '@string-os/protocol'
import { RUN_BEFORE, type TurnDetail, type TurnQuery, type TurnRow, type TurnStore } from '../groups/turns.ts'
import { dayOfTime } from '../iso-time.ts'
import type { Sign } from '../store.ts'
import { latestTurnOf, storedSteps, turnDetailOf, turnOf, turnRequestOf } from '../stored-rows.ts'
import type { Query } from './link.ts'
import type { Run } from './run.ts'

const FIELDS =
  'id agent_id session from_user source event_id request_id message attachments hops state code attempt created_at started_at ended_at next_at result usage retry_of retried_by claim'.split(
    ' ',
  )
const COLUMNS = FIELDS.join(', ')
export const TURN_COLUMNS = COLUMNS
/** What a change of a turn brings: all but its id, and behind it the id. */
const CHANGES = FIELDS.slice(1)
  .map((field, index) => `${field} = $${index + 2}`)
  .join(', ')
const LEASE = `clock_timestamp() + interval '${LIMITS.leaseMs} milliseconds'`
const OVER = "state IN ('done', 'failed', 'cancelled', 'interrupted')"
export const RUNS = "state IN ('running', 'waiting')"

/** Nobody saw the end of a run: at the latest it was when its lease was to be renewed next, and was not. */
const ENDED = (at: string): string => `LEAST(${at}, to_char(
    (lease_until - interval '${LIMITS.leaseMs - LIMITS.leaseRenewMs} milliseconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** What becomes of a run whose end nobody saw: that of an event waits again, any other is over. */
export const RECOVERED = (at: string): string => `holder = NULL, lease_until = NULL, is_cancel_asked = false,
  state = CASE WHEN event_id IS NULL THEN 'interrupted' ELSE 'queued' END,
  code = CASE WHEN event_id IS NULL THEN 'CANCELLED' ELSE code END,
  ended_at = CASE WHEN event_id IS NULL THEN ${ENDED(at)} ELSE NULL END,
  next_at = CASE WHEN event_id IS NULL THEN next_at ELSE ${at} END`

/** What `chosen` has to say of a run, so that it can be counted. */
export const CUT_COLUMNS = 'id, agent_id, session, event_id, started_at, lease_until'

/** The runs that are `chosen`, in the sums of the day: the turn itself where it is over with that, and its time in any case. */
export const CUT_COUNTED = (at: string, day: string): string => `
    INSERT INTO string.usage AS u (day, agent_id, session, turns, failed, input_tokens, output_tokens, total_tokens, cost_usd, duration_ms)
    SELECT ${day}::text, agent_id, session, count(*) FILTER (WHERE event_id IS NULL), count(*) FILTER (WHERE event_id IS NULL), 0, 0, 0, 0,
      coalesce(sum(greatest(0, round(extract(epoch FROM ${ENDED(at)}::timestamptz - started_at::timestamptz) * 1000))), 0)
    FROM chosen GROUP BY agent_id, session ORDER BY agent_id, session
    ON CONFLICT (agent_id, day, session) DO UPDATE SET turns = u.turns + excluded.turns, failed = u.failed + excluded.failed,
      duration_ms = u.duration_ms + excluded.duration_ms`

/**
 * Of a session one runs, and no message of a person overtakes another. It runs where its agent lives, unless the agent is
 * about to live elsewhere; some may run anywhere.
 */
const MAY_RUN = `NOT EXISTS (SELECT FROM string.agents AS a WHERE a.id = t.agent_id AND a.node_id IS NOT NULL
    AND (a.wanted_at IS NOT NULL OR (a.node_id <> $2 AND a.placement <> 'any')))
  AND NOT EXISTS (SELECT FROM string.turns AS o
    WHERE o.agent_id = t.agent_id AND o.session = t.session AND o.${RUNS})
  AND (t.event_id IS NOT NULL OR NOT EXISTS (SELECT FROM string.turns AS o
    WHERE o.agent_id = t.agent_id AND o.session = t.session AND o.state = 'queued' AND o.event_id IS NULL AND o.id < t.id))`

export const TURN_QUERIES = {
  add: {
    name: 'add_turn',
    text: `INSERT INTO string.turns (${COLUMNS}) VALUES (${FIELDS.map((_, index) => `$${index + 1}`).join(', ')})`,
  },
  byId: { name: 'turn', text: `SELECT ${COLUMNS} FROM string.turns WHERE id = $1`, reads: true },
  detail: {
    name: 'turn_detail',
    text: 'SELECT steps, partial, stderr FROM string.turn_details WHERE id = $1',
    reads: true,
  },
  ofEvent: {
    name: 'turn_of_event',
    text: `SELECT ${COLUMNS} FROM string.turns WHERE agent_id = $1 AND event_id = $2`,
    reads: true,
  },
  request: {
    name: 'turn_request',
    text: `SELECT agent_id, request_id, turn_id, digest, used_at FROM string.turn_requests
      WHERE agent_id = $1 AND request_id = $2 AND used_at >= $3`,
    reads: true,
  },
  putRequest: {
    name: 'put_turn_request',
    text: `INSERT INTO string.turn_requests (agent_id, request_id, turn_id, digest, used_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (agent_id, request_id) DO UPDATE
      SET turn_id = excluded.turn_id, digest = excluded.digest, used_at = excluded.used_at`,
  },
  latest: {
    name: 'latest_turns',
    // As a range, so that only the index of agents has this order: by that of all ids a rare agent would take long to find.
    text: `SELECT last.* FROM unnest($1::text[]) AS named(agent) CROSS JOIN LATERAL (
      SELECT id, agent_id, state, code, attempt, ended_at, claim FROM string.turns
      WHERE agent_id >= named.agent AND agent_id <= named.agent ORDER BY agent_id DESC, id DESC LIMIT 1) AS last`,
    reads: true,
  },
  open: {
    name: 'open_turns',
    text: `SELECT ${COLUMNS} FROM string.turns WHERE state IN ('queued', 'running', 'waiting') AND id > $1 ORDER BY id LIMIT $2`,
    reads: true,
  },
  claim: {
    name: 'claim_turn',
    text: `UPDATE string.turns AS t SET state = 'running', started_at = $3, holder = $2, ran_on = $2, claim = claim + 1,
        is_cancel_asked = false, cancel_reason = NULL, lease_until = ${LEASE}
      WHERE id = $1 AND state = 'queued' AND ${MAY_RUN} RETURNING ${COLUMNS}`,
  },
  renew: {
    name: 'renew_turns',
    text: `UPDATE string.turns SET lease_until = ${LEASE} FROM unnest($1::text[], $2::bigint[]) AS held(held_id, number)
      WHERE id = held_id AND claim = number AND ${RUNS} RETURNING id`,
  },
  keep: {
    name: 'keep_turn_detail',
    // Locked, so that what is kept never comes after the end of the run.
    text: `INSERT INTO string.turn_details (id, steps, partial, stderr)
      SELECT id, $3::bytea, $4::bytea, $5::bytea FROM string.turns WHERE id = $1 AND claim = $2 AND ${RUNS} FOR SHARE
      ON CONFLICT (id) DO UPDATE SET steps = excluded.steps, partial = excluded.partial, stderr = excluded.stderr`,
  },
  wait: { name: 'wait_turn', text: `UPDATE string.turns SET state = $3 WHERE id = $1 AND claim = $2 AND ${RUNS}` },
  settle: {
    name: 'settle_turn',
    text: `UPDATE string.turns SET ${CHANGES}, holder = NULL, lease_until = NULL
      WHERE id = $1 AND claim = $${FIELDS.length} AND ${RUNS} RETURNING is_followed`,
  },
  forgetNews: { name: 'forget_turn_news', text: 'DELETE FROM string.turn_news WHERE turn_id = $1' },
  putDetail: {
    name: 'put_turn_detail',
    text: `INSERT INTO string.turn_details (id, steps, partial, stderr) VALUES ($1, $2, $3, $4)
      ON CONFLICT (id) DO UPDATE SET steps = excluded.steps, partial = excluded.partial, stderr = excluded.stderr`,
  },
  change: { name: 'change_turn', text: `UPDATE string.turns SET ${CHANGES} WHERE id = $1 AND state = 'queued'` },
  reopen: { name: 'reopen_turn', text: `UPDATE string.turns SET ${CHANGES} WHERE id = $1 AND ${OVER}` },
  retried: { name: 'retried_turn', text: 'UPDATE string.turns SET retried_by = $2 WHERE id = $1' },
  recover: {
    name: 'recover_turns',
    text: `WITH chosen AS (
        SELECT ${CUT_COLUMNS} FROM string.turns WHERE ${RUNS} AND holder = $1 LIMIT $3 FOR UPDATE SKIP LOCKED)
      , unheard AS (DELETE FROM string.turn_news WHERE turn_id = ANY(ARRAY(SELECT id FROM chosen)))
      , counted AS (${CUT_COUNTED('$2', '$4')})
      UPDATE string.turns SET ${RECOVERED('$2')} WHERE id = ANY(ARRAY(SELECT id FROM chosen))`,
  },
  startedSince: {
    name: 'turns_started',
    text: `SELECT started_at FROM string.turns WHERE agent_id = $1 AND started_at >= $2 ORDER BY started_at DESC LIMIT $3`,
    reads: true,
  },
  remove: {
    name: 'remove_turns',
    text: `WITH gone AS (DELETE FROM string.turns WHERE id = ANY(ARRAY(
        SELECT id FROM string.turns WHERE agent_id = $1 ORDER BY id LIMIT $2 FOR UPDATE)) RETURNING id)
      , details AS (DELETE FROM string.turn_details WHERE id IN (SELECT id FROM gone))
      , lost AS (DELETE FROM string.lost_runs WHERE turn_id IN (SELECT id FROM gone))
      , news AS (DELETE FROM string.turn_news WHERE turn_id IN (SELECT id FROM gone))
      SELECT id FROM gone`,
  },
  removeRequests: {
    name: 'remove_turn_requests',
    text: `DELETE FROM string.turn_requests WHERE agent_id = $1 AND request_id = ANY(ARRAY(
      SELECT request_id FROM string.turn_requests WHERE agent_id = $1 ORDER BY request_id LIMIT $2 FOR UPDATE))`,
  },
  prune: {
    name: 'prune_turns',
    text: `WITH gone AS (DELETE FROM string.turns WHERE id = ANY(ARRAY(
        SELECT id FROM string.turns WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING id)
      , details AS (DELETE FROM string.turn_details WHERE id IN (SELECT id FROM gone))
      , lost AS (DELETE FROM string.lost_runs WHERE turn_id IN (SELECT id FROM gone))
      , news AS (DELETE FROM string.turn_news WHERE turn_id IN (SELECT id FROM gone))
      SELECT id FROM gone`,
  },
  pruneRequests: {
    name: 'prune_turn_requests',
    text: `DELETE FROM string.turn_requests WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM string.turn_requests WHERE used_at < $1 ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
  trim: {
    name: 'trim_turns',
    text: `WITH gone AS (DELETE FROM string.turns WHERE id = ANY(ARRAY(
        SELECT id FROM string.turns WHERE agent_id = $1 AND ${OVER} AND id <= (
          SELECT id FROM string.turns WHERE agent_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)
        ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING id)
      , details AS (DELETE FROM string.turn_details WHERE id IN (SELECT id FROM gone))
      , lost AS (DELETE FROM string.lost_runs WHERE turn_id IN (SELECT id FROM gone))
      , news AS (DELETE FROM string.turn_news WHERE turn_id IN (SELECT id FROM gone))
      SELECT id FROM gone`,
  },
} as const

function textsOf(detail: TurnDetail): Buffer[] {
  return [storedSteps(detail), detail.partial, detail.stderr].map((text) => Buffer.from(text))
}

/** `signed` hears of each turn that is another for those who follow it elsewhere. */
export function turnStore(run: Run, signed: (sign: Sign) => void): TurnStore {
  const queries = TURN_QUERIES
  const changed = async (query: Query, values: readonly unknown[]): Promise<number> => (await run(query, values)).count
  const first = async (query: Query, values: readonly unknown[]): Promise<TurnRow | null> =>
    (await run(query, values)).rows.map(turnOf)[0] ?? null
  const putDetail = async (id: string, detail: TurnDetail): Promise<void> =>
    void (await run(queries.putDetail, [id, ...textsOf(detail)]))
  return {
    add: async (turn) => void (await run(queries.add, valuesOf(turn))),
    byId: (id) => first(queries.byId, [id]),
    detail: async (id) => (await run(queries.detail, [id])).rows.map(turnDetailOf)[0] ?? null,
    ofEvent: (agentId, eventId) => first(queries.ofEvent, [agentId, eventId]),
    request: async (agentId, requestId, since) =>
      (await run(queries.request, [agentId, requestId, since])).rows.map(turnRequestOf)[0] ?? null,
    putRequest: async ({ agentId, requestId, turnId, digest, usedAt }) =>
      void (await run(queries.putRequest, [agentId, requestId, turnId, digest, usedAt])),
    list: async (query) => {
      const { text, values, name } = listQuery(query)
      return (await run({ name, text, reads: true }, values)).rows.map(turnOf)
    },
    latest: async (agentIds) => (await run(queries.latest, [agentIds])).rows.map(latestTurnOf),
    open: async (after, limit) => (await run(queries.open, [after, limit])).rows.map(turnOf),
    claim: (id, holder, at) => first(queries.claim, [id, holder, at]),
    renew: async (claims) => {
      const held = [claims.map(({ id }) => id), claims.map(({ claim }) => claim)]
      return (await run(queries.renew, held)).rows.map(({ id }) => String(id))
    },
    keep: async ({ id, claim }, detail) => void (await run(queries.keep, [id, claim, ...textsOf(detail)])),
    wait: async ({ id, claim }, isWaiting) =>
      (await changed(queries.wait, [id, claim, isWaiting ? 'waiting' : 'running'])) > 0,
    settle: async (turn, detail) => {
      const [settled] = (await run(queries.settle, valuesOf(turn))).rows
      if (settled === undefined) return false
      if (settled.is_followed === true) {
        await run(queries.forgetNews, [turn.id])
        signed({ kind: 'turn', id: turn.id })
      }
      await putDetail(turn.id, detail)
      return true
    },
    change: async (turn) => (await changed(queries.change, valuesOf(turn))) > 0,
    reopen: async (turn, detail) => {
      if ((await changed(queries.reopen, valuesOf(turn))) === 0) return false
      await putDetail(turn.id, detail)
      return true
    },
    retried: async ({ id }, by) => void (await run(queries.retried, [id, by])),
    recover: async (holder, at) => {
      let total = 0
      for (;;) {
        const recovered = await changed(queries.recover, [holder, at, LIMITS.removedAtOnce, dayOfTime(at)])
        total += recovered
        if (recovered < LIMITS.removedAtOnce) return total
      }
    },
    startedSince: async (agentId, since, limit) =>
      (await run(queries.startedSince, [agentId, since, limit])).rows.map((row) => String(row.started_at)),
    remove: async (agentId, limit) => {
      const requests = await changed(queries.removeRequests, [agentId, limit])
      return Math.max(requests, await changed(queries.remove, [agentId, limit]))
    },
    prune: async (endedBefore, usedBefore, limit) => {
      const requests = await changed(queries.pruneRequests, [usedBefore, limit])
      return Math.max(requests, await changed(queries.prune, [endedBefore, limit]))
    },
    trim: (agentId, keep, limit) => changed(queries.trim, [agentId, keep, limit]),
  }
}

/** One statement for each set of conditions, so that each is prepared once. */
export function listQuery({
  agentId,
  session,
  state,
  since,
  again,
  before,
  limit,
}: TurnQuery): Query & { values: unknown[] } {
  const wanted: readonly (readonly [name: string, condition: (place: string) => string, value: string | null])[] = [
    ['agent', (place) => `agent_id = ${place}`, agentId],
    ['session', (place) => `session = ${place}`, session],
    ['state', (place) => `state = ${place}`, state],
    ['since', (place) => `(ended_at IS NULL OR ended_at >= ${place})`, since],
    ['before', (place) => `id < ${place}`, before],
  ]
  const given = wanted.filter(([, , value]) => value !== null)
  const conditions = given.map(([, condition], index) => condition(`$${index + 1}`))
  const where = [...conditions, ...(again ? [RUN_BEFORE] : [])].join(' AND ')
  return {
    name: ['list_turns', ...given.map(([name]) => name), ...(again ? ['again'] : [])].join('_'),
    text: `SELECT ${COLUMNS} FROM string.turns ${where === '' ? '' : `WHERE ${where}`} ORDER BY id DESC LIMIT $${given.length + 1}`,
    values: [...given.map(([, , value]) => value), limit],
  }
}

/** In the order of the columns. */
function valuesOf(turn: TurnRow): unknown[] {
  const json = (value: unknown): Buffer | null => (value === null ? null : Buffer.from(JSON.stringify(value)))
  return [
    turn.id,
    turn.agentId,
    turn.session,
    turn.from,
    turn.source,
    turn.eventId,
    turn.requestId,
    Buffer.from(turn.message),
    json(turn.attachments),
    turn.hops,
    turn.state,
    turn.code,
    turn.attempt,
    turn.createdAt,
    turn.startedAt,
    turn.endedAt,
    turn.nextAt,
    json(turn.result),
    json(turn.usage),
    turn.retryOf,
    turn.retriedBy,
    turn.claim,
  ]
}
