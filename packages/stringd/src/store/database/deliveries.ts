import type { Connection, Row } from './connection.ts'
import type { Database } from './database.ts'
import { DELIVERIES } from './schema.ts'
import { putRow } from './sealed-row.ts'

/** `trying`: a try is under way, or was when the daemon was killed. */
export type DeliveryState = 'trying' | 'waiting' | 'sent' | 'failed'

/** A delivery as it is stored. */
export interface DeliveryRow {
  readonly id: string
  readonly agentId: string
  readonly channel: string
  readonly target: string
  readonly text: string
  readonly state: DeliveryState
  /** Tries that have ended. */
  readonly tries: number
  readonly createdAt: string
  readonly nextAt: string | null
  /** Why it waits or failed. */
  readonly reason: string | null
}

export function insertDelivery(connection: Connection, delivery: DeliveryRow): void {
  putRow(connection, DELIVERIES, rowOf(delivery))
}

/** Stores what has changed; one that was dropped meanwhile stays away. */
export function updateDelivery(connection: Connection, delivery: DeliveryRow): void {
  const known = connection.select(['rowid'], 'FROM deliveries WHERE id = ?', delivery.id)
  if (known.length > 0) insertDelivery(connection, delivery)
}

/** Those that wait and whose time has come, the longest waiting first. */
export function dueDeliveries(database: Database, at: string, limit: number): DeliveryRow[] {
  const rest = "WHERE state = 'waiting' AND next_at <= ? ORDER BY next_at LIMIT ?"
  return database.rows(DELIVERIES, rest, at, limit).map(deliveryOf)
}

export function nextDelivery(database: Database): DeliveryRow | null {
  return database.rows(DELIVERIES, "WHERE state = 'waiting' ORDER BY next_at LIMIT 1").map(deliveryOf)[0] ?? null
}

export function interruptedDeliveries(database: Database): DeliveryRow[] {
  return database.rows(DELIVERIES, "WHERE state = 'trying'").map(deliveryOf)
}

/** Newest first, of one agent or of all. */
export function newestDeliveries(database: Database, agentId: string | null, limit: number): DeliveryRow[] {
  const order = 'ORDER BY created_at DESC, rowid DESC LIMIT ?'
  const rows =
    agentId === null
      ? database.rows(DELIVERIES, order, limit)
      : database.rows(DELIVERIES, `WHERE agent_id = ? ${order}`, agentId, limit)
  return rows.map(deliveryOf)
}

export function countOpenDeliveries(database: Database, agentId: string): number {
  return database.count(DELIVERIES, "WHERE agent_id = ? AND state IN ('waiting', 'trying')", agentId)
}

export function dropDeliveries(connection: Connection, agentId: string): number {
  return connection.run('DELETE FROM deliveries WHERE agent_id = ?', agentId)
}

/** Forgets what was sent or failed before then. */
export function pruneDeliveries(connection: Connection, before: string): number {
  return connection.run("DELETE FROM deliveries WHERE state IN ('sent', 'failed') AND created_at < ?", before)
}

function rowOf(delivery: DeliveryRow): Row {
  const { id, agentId, channel, target, text, state, tries, createdAt, nextAt, reason } = delivery
  return {
    id,
    agent_id: agentId,
    channel,
    target,
    text: Buffer.from(text),
    state,
    tries,
    created_at: createdAt,
    next_at: nextAt,
    reason,
  }
}

function deliveryOf(row: Row): DeliveryRow {
  const { text, next_at, reason } = row
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    channel: String(row.channel),
    target: String(row.target),
    text: text instanceof Uint8Array ? Buffer.from(text).toString('utf8') : '',
    state: stateOf(row.state),
    tries: Number(row.tries),
    createdAt: String(row.created_at),
    nextAt: typeof next_at === 'string' ? next_at : null,
    reason: typeof reason === 'string' ? reason : null,
  }
}

function stateOf(value: unknown): DeliveryState {
  return value === 'trying' || value === 'waiting' || value === 'sent' ? value : 'failed'
}
