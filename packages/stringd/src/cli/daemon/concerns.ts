import { type AgentActivity, HttpError, type OverviewView, type StringClient } from '@string-os/client'
import { isCutOff } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { agentState } from '../agent/agent-state.ts'
import { everyActivity } from '../agent/known-agent.ts'

/** Each agent is asked about alone; of more than these it is told what the daemon counts. */
const ASKED_ALONE = 200

/** How agents are; null of a daemon that is older than this program. */
export async function overviewOf(client: StringClient): Promise<OverviewView | null> {
  try {
    return await client.overview()
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}

/** The same for programs. */
export function concernData(overview: OverviewView | null): object {
  if (overview === null) return { agent_states: null, approvals: null }
  const { all: _, ...agent_states } = overview.agents
  return { agent_states, approvals: overview.approvals }
}

/** Behind the number of agents: how many need a look, in the words of `agent list`, and what to type. */
export async function agentConcerns(client: StringClient, overview: OverviewView | null): Promise<string> {
  if (overview === null) return ''
  const { all, running, waiting, paused, failing } = overview.agents
  const troubled = all > ASKED_ALONE ? null : await troubledAgents(client)
  const parts = [
    [running, 'running'],
    [waiting, 'waiting for you'],
    [paused, 'paused'],
    [troubled?.limited.length ?? 0, 'at a limit'],
    [troubled?.failing.length ?? failing, 'failing'],
    [troubled?.cutOff.length ?? 0, 'cut off'],
    [troubled?.broken.length ?? 0, 'broken'],
  ] as const
  const told = parts.flatMap(([many, words]) => (many === 0 ? [] : [`${many} ${words}`]))
  return told.length === 0 ? '' : ` (${told.join(', ')}${whichToLookAt(troubled, failing)})`
}

function whichToLookAt(troubled: Troubled | null, failing: number): string {
  const ids = troubled === null ? [] : [...troubled.failing, ...troubled.cutOff, ...troubled.broken]
  const [first] = ids
  if (first !== undefined && ids.length === 1) return `: string agent status ${shellWord(first)}`
  return ids.length > 1 || (troubled === null && failing > 0) ? ': string agent list' : ''
}

type Troubled = Readonly<Record<'limited' | 'failing' | 'cutOff' | 'broken', readonly string[]>>

async function troubledAgents(client: StringClient): Promise<Troubled> {
  const agents = await everyActivity(client)
  const those = (isMeant: (agent: AgentActivity) => boolean): string[] => agents.filter(isMeant).map(({ id }) => id)
  const inState = (state: string): string[] => those((each) => agentState(each) === state)
  return {
    limited: inState('limited'),
    failing: inState('failing'),
    cutOff: those(isCutOff),
    broken: inState('broken'),
  }
}

export function approvalLines(overview: OverviewView | null): string[] {
  const asked = overview?.approvals ?? 0
  return asked === 0 ? [] : [`questions for you: ${asked} (string approvals)`]
}
