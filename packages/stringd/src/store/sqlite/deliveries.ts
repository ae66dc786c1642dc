import { LIMITS } from '@string-os/protocol'
import type { DeliveryRow, DeliveryStore } from '../groups/deliveries.ts'
import { isoTime } from '../iso-time.ts'
import { deliveryOf } from '../stored-rows.ts'
import type { Access } from './access.ts'
import type { Connection, Row } from './connection.ts'
import { removeRows } from './events.ts'
import { DELIVERIES } from './schema.ts'
import { isWhole, putRow, sealedRows } from './sealed-row.ts'

/** `now` is the clock of the leases. */
export function sqliteDeliveries(access: Access, now: () => number): DeliveryStore {
  const lease = (): Row => ({ lease_until: now() + LIMITS.leaseMs })
  return {
    add: async (given, holder) => {
      const delivery: DeliveryRow = { ...given, state: 'trying', tries: 0, nextAt: null, reason: null, claim: 1 }
      await access.write((connection) => putRow(connection, DELIVERIES, { ...rowOf(delivery), holder, ...lease() }))
      return delivery
    },
    claim: (holder, at, limit) =>
      access.write((connection) => {
        const waiting = wholeRows(
          connection,
          "WHERE state = 'waiting' AND next_at <= ? ORDER BY next_at LIMIT ?",
          at,
          limit,
        )
        const rest = "WHERE state = 'trying' AND lease_until <= ? ORDER BY lease_until LIMIT ?"
        const left = wholeRows(connection, rest, now(), limit - waiting.length)
        return [...waiting, ...left].map((row) => {
          const claimed = { ...row, state: 'trying', holder, claim: Number(row.claim) + 1, ...lease() }
          putRow(connection, DELIVERIES, claimed)
          return deliveryOf(claimed)
        })
      }),
    settle: (delivery) =>
      access.write((connection) => {
        const { id, claim } = delivery
        const [row] = wholeRows(connection, "WHERE id = ? AND claim = ? AND state = 'trying'", id, claim)
        if (row !== undefined) putRow(connection, DELIVERIES, { ...row, ...rowOf(delivery), lease_until: 0 })
        return row !== undefined
      }),
    release: (holder, at) =>
      access.write((connection) => {
        const rows = wholeRows(connection, "WHERE state = 'trying' AND holder IN (?, '')", holder)
        for (const row of rows)
          putRow(connection, DELIVERIES, { ...row, state: 'waiting', next_at: at, lease_until: 0 })
        return rows.length
      }),
    nextAt: async () => {
      const [waiting] = access.rows(DELIVERIES, "WHERE state = 'waiting' ORDER BY next_at LIMIT 1")
      const [trying] = access.rows(DELIVERIES, "WHERE state = 'trying' ORDER BY lease_until LIMIT 1")
      const times = [waiting?.next_at, trying && isoTime(Number(trying.lease_until))]
      return times.filter((time) => typeof time === 'string').sort()[0] ?? null
    },
    newest: async (agentId, limit, { state = null, before = null } = {}) => {
      const wanted: readonly (readonly [condition: string, value: string | null])[] = [
        ['agent_id = ?', agentId],
        // Of all agents most are sent: those are met one after another by their time, the few others found by their state.
        [agentId === null && state === 'sent' ? '+state = ?' : 'state = ?', state],
        ['(created_at, rowid) < (SELECT created_at, rowid FROM deliveries WHERE id = ?)', before],
      ]
      const given = wanted.filter(([, value]) => value !== null)
      const where = given.length === 0 ? '' : `WHERE ${given.map(([condition]) => condition).join(' AND ')}`
      const values = given.map(([, value]) => value)
      const rest = `${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`
      return access.rows(DELIVERIES, rest, ...values, limit).map(deliveryOf)
    },
    byId: async (id) => access.rows(DELIVERIES, 'WHERE id = ?', id).map(deliveryOf)[0] ?? null,
    retry: (id, at) =>
      access.write((connection) => {
        const [row] = wholeRows(connection, "WHERE id = ? AND state IN ('waiting', 'failed')", id)
        if (row !== undefined) putRow(connection, DELIVERIES, { ...row, state: 'waiting', next_at: at, created_at: at })
        return row !== undefined
      }),
    countOpen: async (agentId, limit) =>
      access.count(DELIVERIES, limit, "WHERE agent_id = ? AND state IN ('waiting', 'trying')", agentId),
    remove: (agentId, limit) =>
      access.write((connection) => removeRows(connection, 'deliveries', 'agent_id = ?', agentId, limit)),
    prune: (before, limit) =>
      access.write((connection) =>
        removeRows(connection, 'deliveries', "created_at < ? AND state IN ('sent', 'failed')", before, limit),
      ),
  }
}

function wholeRows(connection: Connection, rest: string, ...values: (string | number)[]): Row[] {
  return sealedRows(connection, DELIVERIES, rest, ...values).filter((row) => isWhole(DELIVERIES, row))
}

function rowOf(delivery: DeliveryRow): Row {
  const { id, agentId, channel, target, text, state, tries, createdAt, nextAt, reason, claim } = delivery
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
    claim,
  }
}
