import { HttpError, type OverviewView, type StringClient } from '@string-os/client'
import { shellWord } from '../../doctor/shell-word.ts'

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

/** Behind the number of agents: how many need a look, and what to type. */
export function agentConcerns(overview: OverviewView | null): string {
  if (overview === null) return ''
  const { running, waiting, failing, paused } = overview.agents
  const [last, other] = overview.failing
  const which = last === undefined || other !== undefined ? 'agent list' : `agent status ${shellWord(last.id)}`
  const parts = [
    ...(running === 0 ? [] : [`${running} running`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting for you`]),
    ...(paused === 0 ? [] : [`${paused} paused`]),
    ...(failing === 0 ? [] : [`${failing} failing: string ${which}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

export function approvalLines(overview: OverviewView | null): string[] {
  const asked = overview?.approvals ?? 0
  return asked === 0 ? [] : [`questions for you: ${asked} (string approvals)`]
}
