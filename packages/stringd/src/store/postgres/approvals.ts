import type { ApprovalQuery, ApprovalRow, ApprovalStore } from '../groups/approvals.ts'
import type { Sign } from '../store.ts'
import { approvalBody, approvalOf } from '../stored-rows.ts'
import type { Query } from './link.ts'
import type { Run } from './run.ts'

const COLUMNS = 'id, agent_id, turn_id, state, body'

export const APPROVAL_QUERIES = {
  add: {
    name: 'add_approval',
    text: `INSERT INTO string.approvals (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)`,
  },
  byId: { name: 'approval', text: `SELECT ${COLUMNS} FROM string.approvals WHERE id = $1`, reads: true },
  /** Whoever wants to change it waits for those who change it now. */
  lock: { name: 'lock_approval', text: `SELECT ${COLUMNS} FROM string.approvals WHERE id = $1 FOR UPDATE` },
  lockOfTurn: {
    name: 'lock_approvals_of_turn',
    text: `SELECT ${COLUMNS} FROM string.approvals WHERE turn_id = $1 ORDER BY id FOR UPDATE`,
  },
  put: { name: 'put_approval', text: 'UPDATE string.approvals SET state = $2, body = $3 WHERE id = $1' },
  waiting: {
    name: 'waiting_approvals',
    text: "SELECT agent_id FROM string.approvals WHERE state = 'waiting' LIMIT $1",
    reads: true,
  },
  remove: {
    name: 'remove_approvals',
    text: `DELETE FROM string.approvals WHERE id = ANY(ARRAY(
      SELECT id FROM string.approvals WHERE agent_id = $1 ORDER BY id LIMIT $2 FOR UPDATE))`,
  },
  prune: {
    name: 'prune_approvals',
    text: `DELETE FROM string.approvals WHERE id = ANY(ARRAY(
      SELECT id FROM string.approvals WHERE id < $1 AND state <> 'waiting' ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
} as const

/** What reads before it writes is meant to run in a transaction. */
/** `signed` hears of each that is decided: whoever asked may be on another node. */
export function approvalStore(run: Run, signed: (sign: Sign) => void): ApprovalStore {
  const { add, byId, lock, lockOfTurn, put, waiting, remove, prune } = APPROVAL_QUERIES
  const found = async (query: Query, values: readonly unknown[]): Promise<ApprovalRow[]> =>
    (await run(query, values)).rows.map(approvalOf)
  const store = async (approval: ApprovalRow): Promise<ApprovalRow> => {
    await run(put, [approval.id, approval.state, approvalBody(approval)])
    return approval
  }
  return {
    add: async (approval) => {
      const { id, agentId, turnId, state } = approval
      await run(add, [id, agentId, turnId, state, approvalBody(approval)])
    },
    byId: async (id) => (await found(byId, [id]))[0] ?? null,
    list: async (query) => {
      const { name, text, values } = approvalListQuery(query)
      return found({ name, text, reads: true }, values)
    },
    settle: async (id, end) => {
      const [approval] = await found(lock, [id])
      if (approval === undefined) return null
      if (approval.state !== 'waiting') return { isFirst: false, approval }
      signed({ kind: 'approval', id })
      return { isFirst: true, approval: await store({ ...approval, ...end }) }
    },
    askAgain: async (turnId, digest, number) => {
      const asked = await found(lockOfTurn, [turnId])
      const isMeant = (each: ApprovalRow): boolean =>
        each.digest === digest && each.run < number && !each.isTaken && each.state !== 'withdrawn'
      const approval = asked.find(isMeant)
      return approval === undefined ? null : store({ ...approval, run: number })
    },
    take: async (id) => {
      const [approval] = await found(lock, [id])
      if (approval === undefined || approval.isTaken) return false
      await store({ ...approval, isTaken: true })
      return true
    },
    waiting: async (limit) => (await run(waiting, [limit])).rows.map(({ agent_id }) => String(agent_id)),
    remove: async (agentId, limit) => (await run(remove, [agentId, limit])).count,
    prune: async (beforeId, limit) => (await run(prune, [beforeId, limit])).count,
  }
}

/** One statement for each set of conditions, so that each is prepared once. */
export function approvalListQuery(query: ApprovalQuery): Query & { values: unknown[] } {
  const { agentId, turnId, state, before, after, limit } = query
  const wanted: readonly (readonly [name: string, condition: string, value: string | null])[] = [
    // A turn has one agent.
    ['agent', 'agent_id =', turnId === null ? agentId : null],
    ['turn', 'turn_id =', turnId],
    ['state', 'state =', state],
    ['before', 'id <', before],
    ['after', 'id >', after],
  ]
  const given = wanted.filter(([, , value]) => value !== null)
  const where = given.map(([, condition], index) => `${condition} $${index + 1}`).join(' AND ')
  const order = after === null ? 'DESC' : 'ASC'
  return {
    name: ['list_approvals', ...given.map(([name]) => name)].join('_'),
    text: `SELECT ${COLUMNS} FROM string.approvals ${where === '' ? '' : `WHERE ${where}`} ORDER BY id ${order} LIMIT $${given.length + 1}`,
    values: [...given.map(([, , value]) => value), limit],
  }
}
