import { existsSync } from 'node:fs'
import type { AgentActivity, AgentStanding, StringClient } from '@string-os/client'
import {
  count,
  type EventWaits,
  isCutOff,
  LIMITS,
  type LimitUse,
  STUCK_REASONS,
  shortId,
  type TurnSummary,
  visibleLine,
  waitsText,
} from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { wrapColumns } from '../terminal/columns.ts'
import type { StreamLook } from '../terminal/look.ts'
import { clockTime, shownSpan } from '../turns/time.ts'
import { progressFacts } from '../turns/turn-progress.ts'
import { hasFailed, saidReason, turnReasons, whyItFailed } from '../turns/turn-reason.ts'
import { layTurns } from '../turns/turn-table.ts'
import { agentData } from './agent-data.ts'
import { agentState, profileFile } from './agent-state.ts'

const RECENT_TURNS = 5

const NOT_WOKEN = '(nothing; wake: events in its profile makes every event a turn)'

/** What is said to a person who told an agent to do something. */
const SAID = {
  pause: ({ agent_id }: AgentStanding) =>
    `Paused ${agent_id}: events wait until string agent resume ${agent_id}; people may still ask`,
  resume: ({ agent_id }: AgentStanding) => `${agent_id} goes on`,
  start: ({ agent_id }: AgentStanding) => `${agent_id} goes on`,
  stop: ({ agent_id, cancelled }: AgentStanding) =>
    `Stopped ${agent_id}: ${count(cancelled, 'turn')} ended, events wait until string agent start ${agent_id}; people may still ask`,
}

export type StandingVerb = keyof typeof SAID

export async function tellAgent(client: StringClient, verb: StandingVerb, id: string, json: boolean): Promise<string> {
  const before = json ? null : await client.agents.get(id)
  const standing = await client.agents[verb](id)
  if (json) return JSON.stringify(standing)
  const isIdle = (verb === 'start' || verb === 'resume') && before?.paused === false
  const said = isIdle ? `${id} is not paused` : SAID[verb](standing)
  return inOwnName([said, ...(await leftBehind(client, verb, id))].join('\n'))
}

/** Events that nobody takes: a stop has ended their turns, and a start does not begin them again. */
async function leftBehind(client: StringClient, verb: StandingVerb, id: string): Promise<string[]> {
  if (verb === 'pause') return []
  const agent = await client.agents.get(id)
  const stuck = stuckEvents(agent)
  const told: readonly EventWaits[] = agent.event_waits ?? []
  const events = told.filter(isStuck).reduce((sum, waits) => sum + waits.events, 0)
  return [...stuck, ...(events > stuck.length ? [`string events ${id} lists them`] : [])].map((line) => `  ${line}`)
}

/** What an agent does now, and did last. */
export async function agentStatus(client: StringClient, id: string, json: boolean, look: StreamLook): Promise<string> {
  const agent = await client.agents.get(id)
  if (json) return JSON.stringify(agentData(agent))
  const turns = await client.turns.list({ agent: id, limit: RECENT_TURNS })
  const { head, line } = layTurns(turns, { isOfOneAgent: true, look })
  const [state = '', ...rest] = statusLines(agent)
  const reasons = await turnReasons(client, turns)
  return [
    state,
    ...(agentState(agent) === 'failing' ? wrapColumns(await whyFailing(client, turns), look.width) : []),
    ...rest,
    ...(turns.length === 0 ? [] : ['', head, ...turns.map((turn) => line(turn, reasons.get(turn.turn_id))).reverse()]),
  ].join('\n')
}

async function whyFailing(client: StringClient, turns: readonly TurnSummary[]): Promise<string> {
  const turn = turns.find(hasFailed)
  if (turn === undefined) return inOwnName('why: string turns --failed lists what failed')
  const { turn_id: id, state } = turn
  const said = (await saidReason(client, { id, state })) ?? whyItFailed(turn)
  return inOwnName(`why: ${inOneLine(said).replace(/\.$/, '')}; string turn show ${shortId(id)} tells all`)
}

export function statusLines(agent: AgentActivity): string[] {
  const { id, wake, running, waiting, problem, warnings = [] } = agent
  const held = waitingEvents(agent)
  const profile = profileFile(agent)
  const limited = limitNow(agent)
  return [
    `${id}: ${agentState(agent)}${limited === null ? '' : ` (${limited.what}) until ${limited.until}`}`,
    ...(agentState(agent) === 'paused' ? [inOwnName(`paused: events wait until string agent resume ${id}`)] : []),
    ...cutOff(agent).map((line) => inOwnName(`cut off: ${line}`)),
    ...homeGone(agent),
    ...(problem === null ? [] : [`problem: ${inOneLine(problem)}`]),
    ...warnings.map((text: string) => `warning: ${inOneLine(text)}`),
    ...(profile === null ? [] : [`profile: ${visibleLine(profile)}`]),
    `woken by: ${wake ?? (problem === null ? NOT_WOKEN : '(not known while that is not mended)')}`,
    `turns: ${running} running, ${waiting} waiting`,
    ...limitLines(agent, Date.now()),
    ...runningLines(agent, Date.now()),
    ...(held === null ? [] : [`waiting: ${held}`]),
    ...stuckEvents(agent).map((line) => inOwnName(`  ${line}`)),
  ]
}

/** Of one that could work, that its last turn came to no end, which nobody but a person mends. */
export function cutOff(agent: AgentActivity): string[] {
  const { last_turn: last } = agent
  if (last === null || !isCutOff(agent)) return []
  return [`its last turn was interrupted; string turn retry ${shortId(last.turn_id)} runs it again`]
}

/** What its home held is not lost if somebody puts it back before its next turn. That of another node is not looked at. */
function homeGone({ home, node }: AgentActivity): string[] {
  if (node !== undefined || existsSync(home)) return []
  return [`home: ${visibleLine(home)} is gone; its next turn makes it anew, empty`]
}

/** The turn that runs longest, and how; an older daemon, and another node, tell less. */
function runningLines({ turn }: AgentActivity, now: number): string[] {
  if (!turn) return []
  const { turn_id, since, progress } = turn
  const how = progress === undefined ? [] : progressFacts(progress, now).map((fact) => fact.join(' '))
  const ran = `for ${shownSpan(now - Date.parse(since))}`
  const printed = [
    ['stdout', progress?.stdout_line],
    ['stderr', progress?.stderr_line],
  ] as const
  const id = shortId(turn_id)
  return [
    inOwnName(`running: ${[`${id} ${ran}`, ...how].join(', ')}; string turn cancel ${id} ends it`),
    ...printed.flatMap(([name, line]) => (line ? [`${name}: ${inOneLine(line)}`] : [])),
  ]
}

/** How much is used of each limit; an older daemon does not tell. */
function limitLines({ limits }: AgentActivity, now: number): string[] {
  const told: readonly LimitUse[] | undefined = limits
  if (told === undefined || told.length === 0) return []
  const each = told.map(({ name, used, most, opens_at }) => {
    const opens = opens_at === null ? '' : ` (opens at ${clockTime(opens_at, now)})`
    return `${rounded(used)} of ${most} ${LIMIT_WORDS[name]}${opens}`
  })
  return [`limits: ${each.join(', ')}`]
}

const LIMIT_WORDS: Readonly<Record<LimitUse['name'], string>> = {
  turns_per_hour: 'turns per hour',
  tokens_per_day: 'tokens per day',
  cost_per_day: 'dollars per day',
  minutes_per_day: 'minutes per day',
}

function rounded(used: number): number {
  return Math.round(used * 100) / 100
}

/** Which limit keeps it from working, and until when by the clock of this machine. */
export function limitNow(agent: AgentActivity): { what: string; until: string } | null {
  if (agentState(agent) !== 'limited' || agent.limit === null) return null
  return { what: agent.limit.what, until: clockTime(agent.limit.until, Date.now()) }
}

/** Of those that wait and that nobody takes, why, and what to type; an older daemon tells of none. */
export function stuckEvents({ id, event_waits }: AgentActivity): string[] {
  const told: readonly EventWaits[] | undefined = event_waits
  return (told ?? []).filter(isStuck).map((waits: EventWaits) => {
    const { events, turn_id, event_id } = waits
    const run =
      turn_id === null
        ? `string events retry ${shortId(event_id)} --agent ${id}`
        : `string turn retry ${shortId(turn_id)}`
    return `${waitsText(waits)}; ${run} runs ${events === 1 ? 'it' : 'the last one'} again`
  })
}

function isStuck({ reason }: EventWaits): boolean {
  return STUCK_REASONS.includes(reason)
}

/** Events that wait for their time, without those that are being dealt with; null where there are none. */
function waitingEvents(agent: AgentActivity): string | null {
  return eventsBut(agent, ({ reason }) => reason === 'running')
}

/** The same without those that nobody takes either, where these are told of beside it. */
export function timelyEvents(agent: AgentActivity): string | null {
  return eventsBut(agent, (waits) => waits.reason === 'running' || isStuck(waits))
}

function eventsBut(agent: AgentActivity, isLeftOut: (waits: EventWaits) => boolean): string | null {
  const told: readonly EventWaits[] | undefined = agent.event_waits
  const leftOut = (told ?? []).filter(isLeftOut).reduce((sum, waits) => sum + waits.events, 0)
  const events = agent.pending_events - leftOut
  if (events <= 0) return null
  return agent.pending_events >= LIMITS.listedPending ? `${events} events or more` : count(events, 'event')
}

/** All that are not over. */
export function heldEvents({ pending_events: events }: AgentActivity): string {
  return events >= LIMITS.listedPending ? `${events} events or more` : count(events, 'event')
}

/** What was found wrong may be several lines. */
export function inOneLine(text: string): string {
  return visibleLine(text.trim().replace(/\s*\n\s*/g, '; '))
}
