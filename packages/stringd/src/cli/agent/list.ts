import type { AgentActivity, StringClient } from '@string-os/client'
import { visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { tellSetAside } from '../none-found.ts'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import { columnsOf, wrapColumns } from '../terminal/columns.ts'
import { lookOf, type StreamLook } from '../terminal/look.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { clockTime } from '../turns/time.ts'
import { afterTries } from '../turns/turn-table.ts'
import { agentData } from './agent-data.ts'
import { agentState, profileFile } from './agent-state.ts'
import { everyActivity } from './known-agent.ts'
import { cutOff, inOneLine, limitNow, stuckEvents, timelyEvents } from './standing.ts'

const COLUMNS: readonly (Column & { readonly cell: (agent: AgentActivity) => string })[] = [
  { title: 'ID', most: 30, cell: ({ id }) => id },
  { title: 'STATE', most: 10, cell: agentState },
  { title: 'LAST TURN', most: 40, drop: 1, cell: lastTurn },
  { title: 'PROFILE', most: 60, drop: 2, cell: (agent) => visibleLine(profileFile(agent) ?? '-') },
]
const NOTE: (typeof COLUMNS)[number] = { title: 'NOTE', most: 200, cell: note }

const INDENT = '    '

/** Every agent, how it is, and what it did last. */
export async function agentList(client: StringClient, json: boolean, config: Config): Promise<string> {
  const rows = await everyActivity(client)
  if (rows.length === 0) tellSetAside(config, 'agents.json')
  if (json) return JSON.stringify(rows.map(agentData))
  if (rows.length === 0) return inOwnName('No agents yet; string agent add ID makes one')
  return laidOut(rows, lookOf(process.stdout, config))
}

/** What an agent lacks is never cut: where a note has no room beside the rest, it stands below. */
function laidOut(agents: readonly AgentActivity[], { color, width }: StreamLook): string {
  const whole = layCells([...COLUMNS, NOTE], agents, null)
  const fits = width === null || [whole.head, ...whole.lines].every((line) => columnsOf(line) <= width)
  const { head, lines } = fits ? whole : layCells(COLUMNS, agents, width)
  const below = (agent: AgentActivity): string[] => (fits ? [] : noteLines(note(agent), width))
  return [dim(head, color), ...agents.flatMap((agent, at) => [lines[at] ?? '', ...below(agent)])].join('\n')
}

function layCells(
  columns: typeof COLUMNS,
  agents: readonly AgentActivity[],
  width: number | null,
): { head: string; lines: readonly string[] } {
  const cells = agents.map((agent) => columns.map(({ cell }) => cell(agent)))
  const table = layTable(columns, cells, { width })
  return { head: table.head.trimEnd(), lines: cells.map((row) => table.line(row).trimEnd()) }
}

function noteLines(text: string, width: number): string[] {
  return text === '' ? [] : wrapColumns(text, width - INDENT.length).map((line) => `${INDENT}${line}`)
}

function lastTurn({ last_turn: last }: AgentActivity): string {
  if (last === null) return '-'
  const { state, ended_at, attempt = 1, failed_tries: failed = attempt - 1 } = last
  const tried = failed > 0 && state === 'done' ? `, ${afterTries(failed)}` : ''
  return ended_at === null ? state : `${state} ${clockTime(ended_at, Date.now())}${tried}`
}

/** What it asks, why it is broken, and what waits for it. */
function note(agent: AgentActivity): string {
  const held = timelyEvents(agent)
  const waiting = held === null ? [] : [`waiting: ${held}`]
  const limited = limitNow(agent)
  return [
    ...(agent.approvals === 0 ? [] : [inOwnName(`asks: string approvals ${agent.id}`)]),
    ...(agent.problem === null ? [] : [reasonFirst(agent.problem, profileFile(agent))]),
    ...(limited === null ? [] : [`${limited.what}, until ${limited.until}`]),
    ...cutOff(agent).map(inOwnName),
    ...waiting,
    ...stuckEvents(agent).map(inOwnName),
  ].join('; ')
}

/** What is wrong, first of all: which file it is stands in a column of its own. */
function reasonFirst(problem: string, profile: string | null): string {
  const lines = problem.split('\n').map((line) => {
    if (profile === null || !line.startsWith(`${profile}:`)) return line
    const [, at, said = ''] = /^:(?:(\d+):\d+:)? (.*)$/s.exec(line.slice(profile.length)) ?? []
    return at === undefined || said.includes(profile) ? said : `line ${at}: ${said}`
  })
  return inOneLine(lines.join('\n'))
}
