import { type AgentActivity, HttpError, type StringClient } from '@string-os/client'
import { DEFAULT_AGENT, didYouMean, LIMITS, meantBy, quoted } from '@string-os/protocol'
import { type CliError, noSuchThing } from '../exit.ts'
import { isTurn } from '../turns/find-turn.ts'

/** What is asked about an agent; one that is not there is told in the same words everywhere. */
export async function knownAgent<T>(client: StringClient, id: string, ask: (id: string) => Promise<T>): Promise<T> {
  try {
    return await ask(id)
  } catch (error) {
    throw error instanceof HttpError && error.status === 404 ? await unknownAgent(client, id) : error
  }
}

/** What an agent does now; nothing of one that is not there, or was removed meanwhile. */
export async function knownActivity(client: StringClient, id: string): Promise<AgentActivity[]> {
  try {
    return [await client.agents.get(id)]
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return []
    throw error
  }
}

const AT_ONCE = 8

/** The same of all agents: what is wrong with a profile is told of each alone. */
export async function everyActivity(client: StringClient): Promise<readonly AgentActivity[]> {
  const agents = await client.agents.list()
  const rows: AgentActivity[] = []
  for (let at = 0; at < agents.length; at += AT_ONCE)
    rows.push(...(await Promise.all(agents.slice(at, at + AT_ONCE).map(({ id }) => knownActivity(client, id)))).flat())
  return rows
}

/** Refuses a name that nobody has; the default agent is there as soon as it is needed. */
export async function checkAgent(client: StringClient, id: string): Promise<void> {
  if (id !== DEFAULT_AGENT) await knownAgent(client, id, client.agents.get)
}

export async function unknownAgent(client: StringClient, id: string): Promise<CliError> {
  const none = await noSuchAgent(client, id)
  return noSuchThing(`${none} ${await whatElse(client, id)}string agent list shows all`)
}

/** A word that is no agent may be the id of what agents have, as lists show it. */
async function whatElse(client: StringClient, id: string): Promise<string> {
  if (id.startsWith('trn_')) return `It looks like a turn: string turn show ${id}; `
  if (id.startsWith('evt_')) return `It looks like an event: string events read ${id}; `
  if (await isTurn(client, id)) return `It is a turn: string turn show ${id}; `
  return (await isEvent(client, id)) ? `It is an event: string events read ${id}; ` : ''
}

async function isEvent(client: StringClient, written: string): Promise<boolean> {
  if (!/^[0-9a-z]{6,26}$/.test(written)) return false
  const events = await client.inbox.list({ limit: LIMITS.listedMax })
  return meantBy(written, events, ({ id }) => id).kind === 'one'
}

export async function noSuchAgent(client: StringClient, id: string): Promise<string> {
  const agents = await client.agents.list()
  return noAgentAmong(
    id,
    agents.map((agent) => agent.id),
  )
}

/** That there is none of that name, and which one may be meant. */
export function noAgentAmong(id: string, ids: readonly string[]): string {
  const meant = didYouMean(id, ids)
  return `There is no agent ${quoted(id)}.${meant === '' ? '' : ` ${meant}`}`
}
