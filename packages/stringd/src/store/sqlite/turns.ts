import { LIMITS } from '@string-os/protocol'
import { eachInTurn } from '../each-in-turn.ts'
import { RUN_BEFORE, type TurnDetail, type TurnQuery, type TurnRow, type TurnStore } from '../groups/turns.ts'
import type { UsageRow } from '../groups/usage.ts'
import { dayOfTime, isoTime } from '../iso-time.ts'
import { latestTurnOf, storedSteps, turnDetailOf, turnOf, turnRequestOf } from '../stored-rows.ts'
import type { Access } from './access.ts'
import type { Connection, Row } from './connection.ts'
import { removeRows } from './events.ts'
import { TURN_DETAILS, TURN_REQUESTS, TURNS } from './schema.ts'
import { isWhole, putRow, sealedRows } from './sealed-row.ts'
import { addUsage, NONE_USED } from './usage.ts'
import type { ColumnValue } from './value.ts'

const OPEN = "state IN ('queued', 'running', 'waiting')"
const OVER = "state IN ('done', 'failed', 'cancelled', 'interrupted')"

/** `now` is the clock of the leases. */
export function sqliteTurns(access: Access, now: () => number): TurnStore {
  const first = (rows: readonly Row[]): TurnRow | null => rows.map(turnOf)[0] ?? null
  const lease = (): number => now() + LIMITS.leaseMs
  return {
    add: (turn) =>
      access.write((connection) => putRow(connection, TURNS, { ...rowOf(turn), holder: '', lease_until: 0 })),
    byId: async (id) => first(access.rows(TURNS, 'WHERE id = ?', id)),
    detail: async (id) => access.rows(TURN_DETAILS, 'WHERE id = ?', id).map(turnDetailOf)[0] ?? null,
    ofEvent: async (agentId, eventId) =>
      first(access.rows(TURNS, 'WHERE agent_id = ? AND event_id = ?', agentId, eventId)),
    request: async (agentId, requestId, since) => {
      const rest = 'WHERE agent_id = ? AND request_id = ? AND used_at >= ?'
      return access.rows(TURN_REQUESTS, rest, agentId, requestId, since).map(turnRequestOf)[0] ?? null
    },
    putRequest: (request) =>
      access.write((connection) =>
        putRow(connection, TURN_REQUESTS, {
          agent_id: request.agentId,
          request_id: request.requestId,
          turn_id: request.turnId,
          digest: request.digest,
          used_at: request.usedAt,
        }),
      ),
    list: async (query) => listRows(access, query).map(turnOf),
    latest: async (agentIds) => {
      const columns = ['id', 'agent_id', 'state', 'code', 'attempt', 'ended_at', 'claim']
      const rest = 'WHERE agent_id = ? ORDER BY id DESC LIMIT 1'
      const found = await eachInTurn(agentIds, (agentId) => access.peek(TURNS, columns, rest, agentId))
      return found.flat().map(latestTurnOf)
    },
    open: async (after, limit) =>
      access.rows(TURNS, `WHERE ${OPEN} AND id > ? ORDER BY id LIMIT ?`, after, limit).map(turnOf),
    claim: (id, holder, at) =>
      access.write((connection) => {
        const [row] = wholeTurns(connection, "WHERE id = ? AND state = 'queued'", id)
        if (row === undefined) return null
        const claim = Number(row.claim) + 1
        const claimed = { ...row, state: 'running', started_at: at, holder, claim, lease_until: lease() }
        putRow(connection, TURNS, claimed)
        return turnOf(claimed)
      }),
    renew: (claims) =>
      access.write((connection) =>
        claims.flatMap(({ id, claim }) => {
          const [row] = claimed(connection, id, claim)
          if (row !== undefined) putRow(connection, TURNS, { ...row, lease_until: lease() })
          return row === undefined ? [] : [id]
        }),
      ),
    keep: ({ id, claim }, detail) =>
      access.write((connection) => {
        if (claimed(connection, id, claim).length > 0) putRow(connection, TURN_DETAILS, detailRow(id, detail))
      }),
    wait: ({ id, claim }, isWaiting) =>
      access.write((connection) => {
        const [row] = claimed(connection, id, claim)
        if (row !== undefined) putRow(connection, TURNS, { ...row, state: isWaiting ? 'waiting' : 'running' })
        return row !== undefined
      }),
    settle: (turn, detail) =>
      access.write((connection) => {
        const [row] = claimed(connection, turn.id, turn.claim)
        if (row === undefined) return false
        putRow(connection, TURNS, { ...row, ...rowOf(turn), lease_until: 0 })
        putRow(connection, TURN_DETAILS, detailRow(turn.id, detail))
        return true
      }),
    change: (turn) =>
      access.write((connection) => {
        const [row] = wholeTurns(connection, "WHERE id = ? AND state = 'queued'", turn.id)
        if (row !== undefined) putRow(connection, TURNS, { ...row, ...rowOf(turn) })
        return row !== undefined
      }),
    reopen: (turn, detail) =>
      access.write((connection) => {
        const [row] = wholeTurns(connection, `WHERE id = ? AND ${OVER}`, turn.id)
        if (row === undefined) return false
        putRow(connection, TURNS, { ...row, ...rowOf(turn) })
        putRow(connection, TURN_DETAILS, detailRow(turn.id, detail))
        return true
      }),
    retried: ({ id }, by) =>
      access.write((connection) => {
        for (const row of wholeTurns(connection, 'WHERE id = ?', id))
          putRow(connection, TURNS, { ...row, retried_by: by })
      }),
    recover: (holder, at) =>
      access.write((connection) => {
        const rows = wholeTurns(connection, "WHERE state IN ('running', 'waiting') AND holder = ?", holder)
        for (const row of rows) {
          const after =
            row.event_id === null
              ? { state: 'interrupted', code: 'CANCELLED', ended_at: endOf(row, at) }
              : { state: 'queued', next_at: at }
          putRow(connection, TURNS, { ...row, ...after, lease_until: 0 })
          addUsage(connection, cutUse(row, at))
        }
        return rows.length
      }),
    startedSince: async (agentId, since, limit) => {
      const rest = 'WHERE agent_id = ? AND started_at >= ? ORDER BY started_at DESC LIMIT ?'
      return access.rows(TURNS, rest, agentId, since, limit).map((row) => String(row.started_at))
    },
    remove: (agentId, limit) =>
      access.write((connection) => {
        const requests = removeRows(connection, 'turn_requests', 'agent_id = ?', agentId, limit)
        return Math.max(requests, removeTurns(connection, 'agent_id = ?', [agentId], limit))
      }),
    prune: (endedBefore, usedBefore, limit) =>
      access.write((connection) => {
        const requests = removeRows(connection, 'turn_requests', 'used_at < ?', usedBefore, limit)
        return Math.max(requests, removeTurns(connection, 'ended_at < ?', [endedBefore], limit))
      }),
    trim: (agentId, keep, limit) =>
      access.write((connection) => {
        const order = 'FROM turns WHERE agent_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?'
        const [last] = connection.select(['id'], order, agentId, keep)
        if (last === undefined) return 0
        return removeTurns(connection, `agent_id = ? AND id <= ? AND ${OVER}`, [agentId, last.id ?? ''], limit)
      }),
  }
}

/** Nobody saw the end of a run: at the latest it was when its lease was to be renewed next, and was not. */
function endOf({ lease_until }: Row, at: string): string {
  const latest = isoTime(Number(lease_until) - LIMITS.leaseMs + LIMITS.leaseRenewMs)
  return latest < at ? latest : at
}

/** The turn itself is counted where it is over with that, and its time in any case. */
function cutUse(row: Row, at: string): UsageRow {
  const { agentId, session, eventId, startedAt } = turnOf(row)
  const durationMs = startedAt === null ? 0 : Math.max(0, Date.parse(endOf(row, at)) - Date.parse(startedAt))
  const over = eventId === null ? 1 : 0
  return { ...NONE_USED, agentId, session, day: dayOfTime(at), turns: over, failed: over, durationMs }
}

function listRows(access: Access, { agentId, session, state, since, again, before, limit }: TurnQuery): Row[] {
  const wanted: readonly (readonly [condition: string, value: ColumnValue])[] = [
    ['agent_id = ?', agentId],
    ['session = ?', session],
    ['state = ?', state],
    ['(ended_at IS NULL OR ended_at >= ?)', since],
    ['id < ?', before],
  ]
  const given = wanted.filter(([, value]) => value !== null)
  const conditions = [...given.map(([condition]) => condition), ...(again ? [RUN_BEFORE] : [])]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return access.rows(TURNS, `${where} ORDER BY id DESC LIMIT ?`, ...given.map(([, value]) => value), limit)
}

function removeTurns(connection: Connection, which: string, values: readonly ColumnValue[], limit: number): number {
  const rows = connection.select(['id'], `FROM turns WHERE ${which} LIMIT ?`, ...values, limit)
  for (const { id = null } of rows) {
    connection.run('DELETE FROM turn_details WHERE id = ?', id)
    connection.run('DELETE FROM turns WHERE id = ?', id)
  }
  return rows.length
}

function wholeTurns(connection: Connection, rest: string, ...values: ColumnValue[]): Row[] {
  return sealedRows(connection, TURNS, rest, ...values).filter((row) => isWhole(TURNS, row))
}

function claimed(connection: Connection, id: string, claim: number): Row[] {
  return wholeTurns(connection, "WHERE id = ? AND claim = ? AND state IN ('running', 'waiting')", id, claim)
}

function rowOf(turn: TurnRow): Row {
  return {
    id: turn.id,
    agent_id: turn.agentId,
    session: turn.session,
    from_user: turn.from,
    source: turn.source,
    event_id: turn.eventId,
    request_id: turn.requestId,
    message: Buffer.from(turn.message),
    attachments: Buffer.from(JSON.stringify(turn.attachments)),
    hops: turn.hops,
    state: turn.state,
    code: turn.code,
    attempt: turn.attempt,
    created_at: turn.createdAt,
    started_at: turn.startedAt,
    ended_at: turn.endedAt,
    next_at: turn.nextAt,
    result: turn.result === null ? null : Buffer.from(JSON.stringify(turn.result)),
    usage: turn.usage === null ? null : Buffer.from(JSON.stringify(turn.usage)),
    retry_of: turn.retryOf,
    retried_by: turn.retriedBy,
    claim: turn.claim,
  }
}

function detailRow(id: string, detail: TurnDetail): Row {
  const { partial, stderr } = detail
  const steps = Buffer.from(storedSteps(detail))
  return { id, steps, partial: Buffer.from(partial), stderr: Buffer.from(stderr) }
}
