import type { UsageRow, UsageStore } from '../groups/usage.ts'
import { usageOf } from '../stored-rows.ts'
import type { Access } from './access.ts'
import type { Connection, Row } from './connection.ts'
import { removeRows } from './events.ts'
import { USAGE } from './schema.ts'
import { isWhole, putRow, sealedRows } from './sealed-row.ts'

export const NONE_USED = {
  turns: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  costUsd: 0,
  durationMs: 0,
}

export function sqliteUsage(access: Access): UsageStore {
  return {
    add: (usage) => access.write((connection) => addUsage(connection, usage)),
    list: async (by, since, limit) => {
      const rows = access.rows(USAGE, 'WHERE day >= ? ORDER BY day DESC LIMIT ?', since, SUMMED).map(usageOf)
      const sums = new Map<string, UsageRow>()
      for (const row of rows) {
        const key = keyOf(by, row)
        const before = sums.get(key.id)
        sums.set(key.id, before === undefined ? { ...row, ...key.names } : sum(before, row))
      }
      const all = [...sums].sort(([one], [other]) => (by === 'day' ? -1 : 1) * (one < other ? -1 : 1))
      return all.slice(0, limit).map(([, row]) => row)
    },
    ofDay: async (agentId, day) => {
      const rows = access.rows(USAGE, 'WHERE agent_id = ? AND day = ? LIMIT ?', agentId, day, SUMMED).map(usageOf)
      return rows.reduce(sum, { ...NONE_USED, agentId, day, session: '' })
    },
    remove: (agentId, limit) =>
      access.write((connection) => removeRows(connection, 'usage', 'agent_id = ?', agentId, limit)),
    prune: (before, limit) => access.write((connection) => removeRows(connection, 'usage', 'day < ?', before, limit)),
  }
}

/** Adds to what is there, as part of another change. */
export function addUsage(connection: Connection, usage: UsageRow): void {
  const { agentId, day, session } = usage
  const rest = 'WHERE agent_id = ? AND day = ? AND session = ?'
  const stored = sealedRows(connection, USAGE, rest, agentId, day, session)
  const [before] = stored.filter((row) => isWhole(USAGE, row)).map(usageOf)
  putRow(connection, USAGE, rowOf(before === undefined ? usage : sum(before, usage)))
}

/** Rows that are summed up for one answer. */
const SUMMED = 100_000

function keyOf(
  by: 'day' | 'agent' | 'session',
  { day, agentId, session }: UsageRow,
): { id: string; names: Pick<UsageRow, 'day' | 'agentId' | 'session'> } {
  if (by === 'day') return { id: day, names: { day, agentId: '', session: '' } }
  if (by === 'agent') return { id: agentId, names: { day: '', agentId, session: '' } }
  return { id: `${agentId}\0${session}`, names: { day: '', agentId, session } }
}

function sum(one: UsageRow, other: UsageRow): UsageRow {
  return {
    day: one.day,
    agentId: one.agentId,
    session: one.session,
    turns: one.turns + other.turns,
    failed: one.failed + other.failed,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    costUsd: one.costUsd + other.costUsd,
    durationMs: one.durationMs + other.durationMs,
  }
}

function rowOf({ day, agentId, session, turns, failed, ...sums }: UsageRow): Row {
  return {
    day,
    agent_id: agentId,
    session,
    turns,
    failed,
    input_tokens: sums.inputTokens,
    output_tokens: sums.outputTokens,
    total_tokens: sums.totalTokens,
    cost_usd: sums.costUsd,
    duration_ms: sums.durationMs,
  }
}
