import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentActivity } from '@string-os/client'
import { type AgentCondition, agentCondition } from '@string-os/protocol'

/** How an agent is, for a person; one that could work, by whether it has a profile. */
export function agentState(agent: AgentActivity): Exclude<AgentCondition, 'idle'> | 'no profile' | 'ready' {
  const condition = agentCondition(agent)
  if (condition !== 'idle') return condition
  return profileFile(agent) === null ? 'no profile' : 'ready'
}

/** The one it was registered with, else that of its home. */
export function profileFile({ profile, home }: AgentActivity): string | null {
  const own = join(home, '.string/profile.yaml')
  return profile ?? (existsSync(own) ? own : null)
}
