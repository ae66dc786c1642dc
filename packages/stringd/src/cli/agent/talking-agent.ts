import { existsSync } from 'node:fs'
import { type AgentActivity, HttpError, type StringClient } from '@string-os/client'
import { DEFAULT_AGENT } from '@string-os/protocol'
import { CliError, EXIT, noSuchThing } from '../exit.ts'
import { inOwnName } from '../program-name.ts'
import { profileFile } from './agent-state.ts'
import { unknownAgent } from './known-agent.ts'

/** An agent that is there. Whether it can answer is for the daemon to say, which keeps what it refuses in its log. */
export async function agentToTalkTo(client: StringClient, id: string): Promise<AgentActivity> {
  const agent = await agentOrNull(client, id)
  if (agent === null && id !== DEFAULT_AGENT) throw notYetAdded(id) ?? (await unknownAgent(client, id))
  if (agent === null) throw cannotAnswer(noProfile(id))
  return agent
}

/** Whoever has just written a profile may take that for enough. */
function notYetAdded(id: string): CliError | null {
  const profile = `${id}/agent.yaml`
  if (!existsSync(profile)) return null
  const add = `string agent add ${id} --profile ${profile}`
  return noSuchThing(inOwnName(`There is no agent ${id} yet, and its profile is here: ${add} makes it`))
}

/** Who is about to type is told before they do. */
export function mustAnswer(agent: AgentActivity): void {
  const why = whyNot(agent)
  if (why !== null) throw cannotAnswer(why)
}

function cannotAnswer(why: string): CliError {
  return new CliError(EXIT.commandError, why, { code: 'NO_PROFILE' })
}

/** Why an agent cannot answer, and what to do about it; null: it can. */
export function whyNot(agent: AgentActivity): string | null {
  if (agent.problem !== null) return brokenText(agent, agent.problem)
  return agent.has_profile ? null : noProfile(agent.id)
}

/** What is wrong may stand in a file that is not its profile. */
function brokenText(agent: AgentActivity, problem: string): string {
  const profile = profileFile(agent)
  if (profile !== null && !problem.includes(profile)) return `${agent.id} cannot answer:\n${problem}`
  const isGone = profile !== null && !existsSync(profile)
  const check = isGone
    ? `Put the file back, or string agent add ${agent.id} --profile FILE --yes gives it another`
    : `string bridge check ${profile ?? 'FILE'} tells all about it`
  return `${agent.id} cannot answer, because its profile cannot be used:\n${problem}\n${check}`
}

/** The default agent is there as soon as it is needed. */
async function agentOrNull(client: StringClient, id: string): Promise<AgentActivity | null> {
  try {
    return await client.agents.get(id)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}

function noProfile(id: string): string {
  return [
    `${id} has no profile, which says what program answers for it`,
    '  string bridge init DIR writes one',
    `  string agent add ${id} --profile DIR/agent.yaml gives it to ${id}`,
  ].join('\n')
}
