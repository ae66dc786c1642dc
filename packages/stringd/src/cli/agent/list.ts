import type { AgentActivity, StringClient, TurnSummary } from '@string-os/client'
import { visibleLine } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { clockTime } from '../turns/time.ts'
import { agentState, heldEvents, inOneLine, profileFile } from './standing.ts'

interface Row {
  readonly agent: AgentActivity
  readonly last: TurnSummary | null
}

const COLUMNS: readonly (Column & { readonly cell: (row: Row) => string })[] = [
  { title: 'ID', most: 30, cell: ({ agent }) => agent.id },
  { title: 'STATE', most: 10, cell: ({ agent }) => agentState(agent) },
  { title: 'LAST TURN', most: 24, drop: 1, cell: ({ last }) => (last === null ? '-' : lastTurn(last)) },
  { title: 'PROFILE', most: 60, drop: 2, cell: ({ agent }) => visibleLine(profileFile(agent) ?? '-') },
  { title: 'NOTE', most: 200, cell: ({ agent }) => note(agent) },
]

const AT_ONCE = 8

/** Every agent, how it is, and what it did last. */
export async function agentList(client: StringClient, json: boolean, color: boolean): Promise<string> {
  const agents = await client.agents.list()
  const rows: Row[] = []
  for (let at = 0; at < agents.length; at += AT_ONCE)
    rows.push(...(await Promise.all(agents.slice(at, at + AT_ONCE).map(({ id }) => rowOf(client, id)))))
  if (json) return JSON.stringify(rows.map(dataOf))
  if (rows.length === 0) return inOwnName('No agents yet; string agent add ID makes one')
  const cells = rows.map((row) => COLUMNS.map(({ cell }) => cell(row)))
  const { isTTY, columns } = process.stdout
  const table = layTable(COLUMNS, cells, { width: isTTY ? columns : null })
  return [dim(table.head, color && isTTY), ...cells.map(table.line)].map((line) => line.trimEnd()).join('\n')
}

async function rowOf(client: StringClient, id: string): Promise<Row> {
  const [agent, [last = null]] = await Promise.all([client.agents.get(id), client.turns.list({ agent: id, limit: 1 })])
  return { agent, last }
}

function dataOf({ agent, last }: Row): object {
  const data = { ...agent, state: agentState(agent) }
  if (last === null) return data
  return { ...data, last_turn: { turn_id: last.turn_id, state: last.state, at: whenOf(last) } }
}

function lastTurn(turn: TurnSummary): string {
  return `${turn.state} ${clockTime(whenOf(turn), Date.now())}`
}

function whenOf({ ended_at, started_at, created_at }: TurnSummary): string {
  return ended_at ?? started_at ?? created_at
}

/** Why it is broken, and what waits for it. */
function note(agent: AgentActivity): string {
  const waiting = agent.events === 0 ? [] : [`waiting: ${heldEvents(agent)}`]
  return [...(agent.problem === null ? [] : [inOneLine(agent.problem)]), ...waiting].join('; ')
}
