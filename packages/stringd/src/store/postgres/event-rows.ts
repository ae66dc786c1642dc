import type { EventRow } from '../groups/events.ts'
import type { ServerRow } from './link.ts'

export function eventOf(row: ServerRow): EventRow {
  const ackedAt = columnText(row.acked_at)
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    receivedAt: String(row.received_at),
    source: String(row.source),
    text: bytesText(row.text),
    status: ackedAt === null ? 'pending' : 'acked',
    ackedAt,
    hops: Number(row.hops),
  }
}

export function columnText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Texts that may hold U+0000 are stored as bytes. */
export function bytesText(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : ''
}
