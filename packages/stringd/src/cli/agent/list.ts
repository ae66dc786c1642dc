import { type AgentActivity, HttpError, type StringClient } from '@string-os/client'
import { visibleLine } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { clockTime } from '../turns/time.ts'
import { agentState, heldEvents, inOneLine, profileFile } from './standing.ts'

const COLUMNS: readonly (Column & { readonly cell: (agent: AgentActivity) => string })[] = [
  { title: 'ID', most: 30, cell: ({ id }) => id },
  { title: 'STATE', most: 10, cell: agentState },
  { title: 'LAST TURN', most: 24, drop: 1, cell: lastTurn },
  { title: 'PROFILE', most: 60, drop: 2, cell: (agent) => visibleLine(profileFile(agent) ?? '-') },
  { title: 'NOTE', most: 200, cell: note },
]

const AT_ONCE = 8

/** Every agent, how it is, and what it did last. */
export async function agentList(client: StringClient, json: boolean, color: boolean): Promise<string> {
  const agents = await client.agents.list()
  if (json) return JSON.stringify(agents)
  const rows: AgentActivity[] = []
  // What is wrong with a profile is told of each agent alone.
  for (let at = 0; at < agents.length; at += AT_ONCE)
    rows.push(...(await Promise.all(agents.slice(at, at + AT_ONCE).map(({ id }) => known(client, id)))).flat())
  if (rows.length === 0) return inOwnName('No agents yet; string agent add ID makes one')
  const cells = rows.map((row) => COLUMNS.map(({ cell }) => cell(row)))
  const { isTTY, columns } = process.stdout
  const table = layTable(COLUMNS, cells, { width: isTTY ? columns : null })
  return [dim(table.head, color && isTTY), ...cells.map(table.line)].map((line) => line.trimEnd()).join('\n')
}

/** None of one that was removed meanwhile. */
async function known(client: StringClient, id: string): Promise<AgentActivity[]> {
  try {
    return [await client.agents.get(id)]
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return []
    throw error
  }
}

function lastTurn({ last_turn: last }: AgentActivity): string {
  if (last === null) return '-'
  return last.ended_at === null ? last.state : `${last.state} ${clockTime(last.ended_at, Date.now())}`
}

/** Why it is broken, and what waits for it. */
function note(agent: AgentActivity): string {
  const waiting = agent.pending_events === 0 ? [] : [`waiting: ${heldEvents(agent)}`]
  return [...(agent.problem === null ? [] : [inOneLine(agent.problem)]), ...waiting].join('; ')
}
