import type { StringClient } from '@string-os/client'
import { count, DEFAULT_AGENT, LIMITS, visibleLine } from '@string-os/protocol'
import { ask } from '../ask.ts'
import { CliError, EXIT } from '../exit.ts'
import { allTurns } from '../turns/all-turns.ts'
import { knownAgent, unknownAgent } from './known-agent.ts'
import { heldEvents } from './standing.ts'

/** Forgets an agent, when whoever asked for it knows what goes with it. */
export async function forgetAgent(client: StringClient, id: string, isSure: boolean): Promise<void> {
  if (!isSure) await makeSure(client, id)
  // Also one that is not known: what an earlier attempt has left is removed.
  if (!(await client.agents.remove(id))) throw await unknownAgent(client, id)
}

async function makeSure(client: StringClient, id: string): Promise<void> {
  const loss = await lossOf(client, id)
  const answer = await ask(`${loss} Remove ${id}?`)
  if (answer === true) return
  if (answer === false) throw new CliError(EXIT.usage, 'Nothing was done')
  const hint = '--yes removes it'
  throw new CliError(EXIT.usage, `${loss} ${hint}`, { hint })
}

async function lossOf(client: StringClient, id: string): Promise<string> {
  const agent = await knownAgent(client, id, client.agents.get)
  let turns = 0
  for await (const _ of allTurns(client, { agent: id, limit: LIMITS.turnsSearched })) turns += 1
  const history = turns === LIMITS.turnsSearched ? `${turns} turns or more` : count(turns, 'turn')
  const again = id === DEFAULT_AGENT ? ' It is the agent of whoever names none: the next command makes it anew.' : ''
  return `With ${id} go ${history}, ${heldEvents(agent)} that wait${agent.pending_events === 1 ? 's' : ''}, its sessions and its webhook; its files in ${visibleLine(agent.home)} stay.${again}`
}
