import type { ApprovalQuery, ApprovalRow, ApprovalStore } from '../groups/approvals.ts'
import { approvalBody, approvalOf } from '../stored-rows.ts'
import type { Access } from './access.ts'
import type { Connection, Row } from './connection.ts'
import { removeRows } from './events.ts'
import { APPROVALS } from './schema.ts'
import { isWhole, putRow, sealedRows } from './sealed-row.ts'
import type { ColumnValue } from './value.ts'

export function sqliteApprovals(access: Access): ApprovalStore {
  return {
    add: (approval) => access.write((connection) => put(connection, approval)),
    byId: async (id) => access.rows(APPROVALS, 'WHERE id = ?', id).map(approvalOf)[0] ?? null,
    list: async (query) => listRows(access, query).map(approvalOf),
    settle: (id, end) =>
      access.write((connection) => {
        const [found] = whole(connection, 'WHERE id = ?', id)
        if (found === undefined) return null
        if (found.state !== 'waiting') return { isFirst: false, approval: found }
        const approval = { ...found, ...end }
        put(connection, approval)
        return { isFirst: true, approval }
      }),
    askAgain: (turnId, digest, run) =>
      access.write((connection) => {
        const asked = whole(connection, 'WHERE turn_id = ? ORDER BY id', turnId)
        const found = asked.find((each) => each.digest === digest && each.run < run && isOpen(each))
        if (found === undefined) return null
        const approval = { ...found, run }
        put(connection, approval)
        return approval
      }),
    take: (id) =>
      access.write((connection) => {
        const [found] = whole(connection, 'WHERE id = ?', id)
        if (found === undefined || found.isTaken) return false
        put(connection, { ...found, isTaken: true })
        return true
      }),
    waiting: async (limit) =>
      access
        .peek(APPROVALS, ['agent_id'], "WHERE state = 'waiting' LIMIT ?", limit)
        .map(({ agent_id }) => String(agent_id)),
    remove: (agentId, limit) =>
      access.write((connection) => removeRows(connection, 'approvals', 'agent_id = ?', agentId, limit)),
    prune: (beforeId, limit) =>
      access.write((connection) =>
        removeRows(connection, 'approvals', "id < ? AND state <> 'waiting'", beforeId, limit),
      ),
  }
}

/** Nobody has been told, and somebody may be still. */
function isOpen({ isTaken, state }: ApprovalRow): boolean {
  return !isTaken && state !== 'withdrawn'
}

function whole(connection: Connection, rest: string, ...values: ColumnValue[]): ApprovalRow[] {
  return sealedRows(connection, APPROVALS, rest, ...values)
    .filter((row) => isWhole(APPROVALS, row))
    .map(approvalOf)
}

function put(connection: Connection, approval: ApprovalRow): void {
  const { id, agentId, turnId, state } = approval
  const row: Row = { id, agent_id: agentId, turn_id: turnId, state, body: approvalBody(approval) }
  putRow(connection, APPROVALS, row)
}

function listRows(access: Access, { agentId, turnId, state, before, after, limit }: ApprovalQuery): Row[] {
  const wanted: readonly (readonly [condition: string, value: ColumnValue])[] = [
    // A turn has one agent.
    ['agent_id = ?', turnId === null ? agentId : null],
    ['turn_id = ?', turnId],
    ['state = ?', state],
    ['id < ?', before],
    ['id > ?', after],
  ]
  const given = wanted.filter(([, value]) => value !== null)
  const where = given.length === 0 ? '' : `WHERE ${given.map(([condition]) => condition).join(' AND ')}`
  const order = after === null ? 'DESC' : 'ASC'
  return access.rows(APPROVALS, `${where} ORDER BY id ${order} LIMIT ?`, ...given.map(([, value]) => value), limit)
}
