import { LIMITS } from '@string-os/protocol'
import { eachInTurn } from '../each-in-turn.ts'
import type { EventIds } from '../event-id.ts'
import type { Appended, EventRow, EventStore, NewEvent } from '../groups/events.ts'
import { LAST_ID } from '../own-marks.ts'
import type { News } from '../store.ts'
import { eventOf } from '../stored-rows.ts'
import type { Access } from './access.ts'
import type { Connection, Row } from './connection.ts'
import { putMark } from './marks.ts'
import { EVENT_KEYS, EVENTS } from './schema.ts'
import { isWhole, putRow, sealedRows } from './sealed-row.ts'
import type { ColumnValue } from './value.ts'

/** Above every id. */
const LAST = '~'

export interface EventParts {
  readonly ids: EventIds
  /** The last event of each agent that was stored here. */
  readonly lastOf: Map<string, string>
  readonly tell: (news: News) => void
}

/** The last place that is known of an agent: what was there before is stored. */
export function lastEventOf({ ids, lastOf }: Pick<EventParts, 'ids' | 'lastOf'>, agentId: string): string {
  return lastOf.get(agentId) ?? ids.last
}

export function sqliteEvents(access: Access, parts: EventParts): EventStore {
  const { ids, lastOf, tell } = parts
  const one = (rows: readonly Row[]): EventRow | null => rows.map(eventOf)[0] ?? null
  const count = (agentId: string, status: string): number =>
    access.count(EVENTS, LIMITS.countedEvents, 'WHERE agent_id = ? AND status = ?', agentId, status)
  const removing = (remove: (connection: Connection) => number): Promise<number> =>
    access.write((connection) => {
      if (ids.last !== '') putMark(connection, LAST_ID, ids.last)
      return remove(connection)
    })
  return {
    append: (given) => {
      const before = lastEventOf(parts, given.agentId)
      return access.write(
        (connection) => appendEvent(connection, ids, given),
        ({ event }) => {
          if (event === null) return
          const after = lastOf.get(event.agentId) ?? before
          lastOf.set(event.agentId, event.id)
          tell({ agentId: event.agentId, after, events: [event] })
        },
      )
    },
    byId: async (agentId, id) => one(access.rows(EVENTS, 'WHERE id = ? AND agent_id = ?', id, agentId)),
    newest: async (agentId, all, limit) =>
      (all
        ? access.rows(EVENTS, ofBoth('', 'DESC'), agentId, limit, agentId, limit, limit)
        : access.rows(EVENTS, "WHERE agent_id = ? AND status = 'pending' ORDER BY id DESC LIMIT ?", agentId, limit)
      ).map(eventOf),
    list: async ({ agentIds, status, before, limit }) => {
      const statuses = status === null ? ['pending', 'acked'] : [status]
      const rest = 'WHERE agent_id = ? AND status = ? AND id < ? ORDER BY id DESC LIMIT ?'
      const found = await eachInTurn(agentIds, (agentId) =>
        statuses.flatMap((each) => access.peek(EVENTS, ['id'], rest, agentId, each, before ?? LAST, limit)),
      )
      const ids = found.flat().map(({ id }) => String(id))
      const newest = ids.toSorted((a, b) => (a < b ? 1 : -1)).slice(0, limit)
      return newest.flatMap((id) => access.rows(EVENTS, 'WHERE id = ?', id)).map(eventOf)
    },
    find: async (agentIds, id) => {
      const event = one(access.rows(EVENTS, 'WHERE id = ?', id))
      return event !== null && agentIds.includes(event.agentId) ? event : null
    },
    countPending: (agentIds, limit) =>
      eachInTurn(agentIds, (agentId) =>
        access.count(EVENTS, limit, "WHERE agent_id = ? AND status = 'pending'", agentId),
      ),
    after: async (agentId, id, limit) =>
      access.rows(EVENTS, ofBoth('AND id > ?', ''), agentId, id, limit, agentId, id, limit, limit).map(eventOf),
    counts: async (agentId) => ({ pending: count(agentId, 'pending'), acked: count(agentId, 'acked') }),
    ack: (agentId, asked, at) =>
      access.write((connection) => asked.filter((id) => ackEvent(connection, agentId, id, at))),
    remove: (agentId, all, limit) => {
      const which = all ? '' : " AND status = 'acked'"
      return removing((connection) => removeRows(connection, 'events', `agent_id = ?${which}`, agentId, limit))
    },
    removeKeys: (agentId, limit) =>
      access.write((connection) => removeRows(connection, 'event_keys', 'agent_id = ?', agentId, limit)),
    prune: (before, limit) =>
      removing((connection) => removeRows(connection, 'events', "status = 'acked' AND acked_at < ?", before, limit)),
    pruneKeys: (before, limit) =>
      access.write((connection) => removeRows(connection, 'event_keys', 'used_at < ?', before, limit)),
  }
}

/** Removes at most `limit` of the rows that a condition with one value finds. */
export function removeRows(
  connection: Connection,
  table: string,
  which: string,
  value: ColumnValue,
  limit: number,
): number {
  return connection.run(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${which} LIMIT ?)`,
    value,
    limit,
  )
}

/** Events of both states in the order of their ids, each state by the index. */
function ofBoth(which: string, direction: string): string {
  const [pending, acked] = ['pending', 'acked'].map(
    (status) =>
      `SELECT * FROM (SELECT rowid FROM events WHERE agent_id = ? AND status = '${status}' ${which} ORDER BY id ${direction} LIMIT ?)`,
  )
  return `WHERE rowid IN (${pending} UNION ALL ${acked}) ORDER BY id ${direction} LIMIT ?`
}

function appendEvent(connection: Connection, ids: EventIds, { key, ...given }: NewEvent): Appended {
  const { agentId, receivedAt } = given
  const first = key === null ? null : eventOfKey(connection, agentId, key)
  if (first !== null) return { id: first, event: null }
  const id = ids.next()
  const event: EventRow = { id, ...given, status: 'pending', ackedAt: null }
  putRow(connection, EVENTS, rowOf(event))
  if (key !== null)
    putRow(connection, EVENT_KEYS, { agent_id: agentId, key: key.name, event_id: id, used_at: receivedAt })
  return { id, event }
}

function eventOfKey(connection: Connection, agentId: string, key: NonNullable<NewEvent['key']>): string | null {
  const [row] = sealedRows(connection, EVENT_KEYS, 'WHERE agent_id = ? AND key = ?', agentId, key.name)
  if (row === undefined || !isWhole(EVENT_KEYS, row) || String(row.used_at) < key.since) return null
  return String(row.event_id)
}

/** False when there is none, or it is damaged. */
function ackEvent(connection: Connection, agentId: string, id: string, at: string): boolean {
  const [row] = sealedRows(connection, EVENTS, 'WHERE id = ? AND agent_id = ?', id, agentId)
  if (row === undefined || !isWhole(EVENTS, row)) return false
  if (row.status !== 'acked') putRow(connection, EVENTS, { ...row, status: 'acked', acked_at: at })
  return true
}

function rowOf({ id, agentId, receivedAt, source, text, status, ackedAt, hops }: EventRow): Row {
  const bytes = Buffer.from(text)
  return { id, agent_id: agentId, received_at: receivedAt, source, text: bytes, status, acked_at: ackedAt, hops }
}
