import type { AgentActivity } from './turns.ts'

/** How an agent is, for whoever looks after it: also whether it can work at all. */
export type AgentCondition = 'broken' | 'paused' | 'running' | 'waiting' | 'limited' | 'failing' | 'idle'

type Told = Pick<AgentActivity, 'problem' | 'paused' | 'running' | 'state' | 'last_turn'> & {
  /** An older daemon tells of none. */
  readonly limit?: AgentActivity['limit'] | undefined
}

/** The one rule by which agents are counted, wherever that is told: what keeps one from working comes before what it did last. */
export function agentCondition(agent: Told): AgentCondition {
  if (agent.problem !== null) return 'broken'
  if (agent.paused) return 'paused'
  if ((agent.limit ?? null) !== null && agent.running === 0) return 'limited'
  return isMended(agent) ? 'idle' : agent.state
}

/** Its last turn failed because its profile could not be used, which it can now. */
function isMended({ state, last_turn: last, problem }: Told): boolean {
  return state === 'failing' && last?.state === 'failed' && last.code === 'NO_PROFILE' && problem === null
}

/** Of one that could work, that its last turn came to no end: nobody but a person mends that. */
export function isCutOff(agent: Told): boolean {
  return agent.last_turn?.state === 'interrupted' && agentCondition(agent) === 'idle'
}
