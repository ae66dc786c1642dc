import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentActivity } from '@string-os/client'

/** For a person: also whether it can work at all. */
type Standing = 'broken' | 'paused' | 'running' | 'waiting' | 'limited' | 'failing' | 'no profile' | 'ready'

export function agentState(agent: AgentActivity): Standing {
  if (agent.problem !== null) return 'broken'
  if (agent.paused) return 'paused'
  if ((agent.limit ?? null) !== null && agent.running === 0) return 'limited'
  if (agent.state !== 'idle' && !isMended(agent)) return agent.state
  return profileFile(agent) === null ? 'no profile' : 'ready'
}

/** Its last turn failed because its profile could not be used, which it can now. */
function isMended({ state, last_turn: last, problem }: AgentActivity): boolean {
  return state === 'failing' && last?.state === 'failed' && last.code === 'NO_PROFILE' && problem === null
}

/** The one it was registered with, else that of its home. */
export function profileFile({ profile, home }: AgentActivity): string | null {
  const own = join(home, '.string/profile.yaml')
  return profile ?? (existsSync(own) ? own : null)
}
