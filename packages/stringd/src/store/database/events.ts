import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import { EVENT_KEYS, EVENTS, MARKS } from './schema.ts'
import { isWhole, putRow, sealedRows } from './sealed-row.ts'

/** An event as it is stored; its text is kept as the bytes that came. */
export interface EventRow {
  readonly id: string
  readonly agentId: string
  readonly receivedAt: string
  readonly source: string
  readonly text: string
  readonly status: 'pending' | 'acked'
  readonly ackedAt: string | null
  /** How many agents the text has passed through. */
  readonly hops: number
}

export interface EventCounts {
  readonly pending: number
  readonly acked: number
}

export function insertEvent(connection: Connection, event: EventRow): void {
  putRow(connection, EVENTS, rowOf(event))
}

/** The event that a sender's key stands for, when it was used since then. */
export function eventOfKey(connection: Connection, agentId: string, key: string, since: string): string | null {
  const [row] = sealedRows(connection, EVENT_KEYS, 'WHERE agent_id = ? AND key = ?', agentId, key)
  if (row === undefined || !isWhole(EVENT_KEYS, row) || String(row.used_at) < since) return null
  return String(row.event_id)
}

export function insertKey(connection: Connection, agentId: string, key: string, eventId: string, usedAt: string): void {
  putRow(connection, EVENT_KEYS, { agent_id: agentId, key, event_id: eventId, used_at: usedAt })
}

/** The greatest id that was ever given, or null: also when its event is gone. */
export function lastEventId(database: Database): string | null {
  const last = database.rows(EVENTS, 'ORDER BY id DESC LIMIT 1').map(eventOf)[0]?.id ?? ''
  const mark = String(database.rows(MARKS, "WHERE name = 'last_event_id'")[0]?.value ?? '')
  return (mark > last ? mark : last) || null
}

/** Kept before events are removed, so that no later event gets a smaller id. */
export function markLastEventId(connection: Connection, id: string): void {
  putRow(connection, MARKS, { name: 'last_event_id', value: id })
}

export function eventById(database: Database, agentId: string, id: string): EventRow | null {
  return database.rows(EVENTS, 'WHERE id = ? AND agent_id = ?', id, agentId).map(eventOf)[0] ?? null
}

export function newestEvents(database: Database, agentId: string, all: boolean, limit: number): EventRow[] {
  const rest = all
    ? 'WHERE agent_id = ? ORDER BY id DESC LIMIT ?'
    : "WHERE agent_id = ? AND status = 'pending' ORDER BY id DESC LIMIT ?"
  return database.rows(EVENTS, rest, agentId, limit).map(eventOf)
}

export function eventsAfter(database: Database, agentId: string, id: string, limit: number): EventRow[] {
  return database.rows(EVENTS, 'WHERE agent_id = ? AND id > ? ORDER BY id LIMIT ?', agentId, id, limit).map(eventOf)
}

export function countEvents(database: Database, agentId: string): EventCounts {
  const count = (status: string): number => database.count(EVENTS, 'WHERE agent_id = ? AND status = ?', agentId, status)
  return { pending: count('pending'), acked: count('acked') }
}

/** Marks an event as dealt with; false when there is none, or it is damaged. */
export function ackEvent(connection: Connection, agentId: string, id: string, at: string): boolean {
  const [row] = sealedRows(connection, EVENTS, 'WHERE id = ? AND agent_id = ?', id, agentId)
  if (row === undefined || !isWhole(EVENTS, row)) return false
  if (row.status !== 'acked') putRow(connection, EVENTS, { ...row, status: 'acked', acked_at: at })
  return true
}

/** Removes events of an agent, and tells how many. */
export function deleteEvents(connection: Connection, agentId: string, all: boolean): number {
  const which = all ? '' : " AND status = 'acked'"
  return connection.run(`DELETE FROM events WHERE agent_id = ?${which}`, agentId)
}

export function dropKeys(connection: Connection, agentId: string): void {
  connection.run('DELETE FROM event_keys WHERE agent_id = ?', agentId)
}

/** Forgets what was dealt with before `ackedBefore`, and keys used before `keysBefore`. */
export function pruneEvents(connection: Connection, ackedBefore: string, keysBefore: string): number {
  connection.run('DELETE FROM event_keys WHERE used_at < ?', keysBefore)
  return connection.run("DELETE FROM events WHERE status = 'acked' AND acked_at < ?", ackedBefore)
}

function rowOf({ id, agentId, receivedAt, source, text, status, ackedAt, hops }: EventRow): Row {
  const bytes = Buffer.from(text)
  return { id, agent_id: agentId, received_at: receivedAt, source, text: bytes, status, acked_at: ackedAt, hops }
}

function eventOf(row: Row): EventRow {
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    receivedAt: String(row.received_at),
    source: String(row.source),
    text: row.text instanceof Uint8Array ? Buffer.from(row.text).toString('utf8') : '',
    status: row.status === 'acked' ? 'acked' : 'pending',
    ackedAt: typeof row.acked_at === 'string' ? row.acked_at : null,
    hops: Number(row.hops),
  }
}
