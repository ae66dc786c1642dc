import type { AgentActivity, EventView } from '@string-os/client'
import { agentState } from './agent-state.ts'

/** An agent as verbs print it, with the word of their lists: over HTTP two of its fields are as older clients know them. */
export function agentData(agent: AgentActivity): object {
  const { id, home, allowedPaths, createdAt, ...rest } = agent
  return { id, standing: agentState(agent), home, allowed_paths: allowedPaths, created_at: createdAt, ...rest }
}

/** An event as verbs print it, in lists and as it comes. */
export function eventData({ id, agentId, receivedAt, source, text, status }: EventView): object {
  return { id, agent_id: agentId, received_at: receivedAt, source, status, text }
}
