import type { AgentActivity, AgentStanding, StringClient } from '@string-os/client'
import { count, visibleLine } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { layTurns } from '../turns/turn-table.ts'

const RECENT_TURNS = 5

/** What is said to a person who told an agent to do something. */
const SAID = {
  pause: ({ agent_id }: AgentStanding) =>
    `Paused ${agent_id}: events wait until string agent resume ${agent_id}; people may still ask`,
  resume: ({ agent_id }: AgentStanding) => `${agent_id} goes on`,
  start: ({ agent_id }: AgentStanding) => `${agent_id} goes on`,
  stop: ({ agent_id, cancelled }: AgentStanding) =>
    `Stopped ${agent_id}: ${count(cancelled, 'turn')} ended, events wait until string agent start ${agent_id}`,
}

export type StandingVerb = keyof typeof SAID

export async function tellAgent(client: StringClient, verb: StandingVerb, id: string, json: boolean): Promise<string> {
  const standing = await client.agents[verb](id)
  return json ? JSON.stringify(standing) : inOwnName(SAID[verb](standing))
}

/** What an agent does now, and did last. */
export async function agentStatus(client: StringClient, id: string, json: boolean, color: boolean): Promise<string> {
  const agent = await client.agents.get(id)
  if (json) return JSON.stringify(agent)
  const turns = await client.turns.list({ agent: id, limit: RECENT_TURNS })
  const { head, line } = layTurns(turns, { isOfOneAgent: true, color })
  return [...statusLines(agent), ...(turns.length === 0 ? [] : ['', head, ...turns.map(line).reverse()])].join('\n')
}

function statusLines({ id, profile, paused, wake, running, waiting, problem }: AgentActivity): string[] {
  return [
    `${id}: ${standing(paused, problem !== null, running)}`,
    ...(problem === null ? [] : [`problem: ${visibleLine(problem)}`]),
    ...(profile === undefined ? [] : [`profile: ${visibleLine(profile)}`]),
    `woken by: ${wake ?? '(nothing; wake: events in its profile makes every event a turn)'}`,
    `turns: ${running} running, ${waiting} waiting`,
  ]
}

function standing(isPaused: boolean, hasProblem: boolean, running: number): string {
  if (hasProblem) return 'cannot take a turn'
  if (isPaused) return 'paused'
  return running > 0 ? 'works' : 'ready'
}
