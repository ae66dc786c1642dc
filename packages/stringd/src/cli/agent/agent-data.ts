import type { AgentView, EventView } from '@string-os/client'

/** An agent as verbs print it: over HTTP two of its fields are as older clients know them. */
export function agentData<T extends AgentView>({ id, home, allowedPaths, createdAt, ...rest }: T): object {
  return { id, home, allowed_paths: allowedPaths, created_at: createdAt, ...rest }
}

/** An event as verbs print it, in lists and as it comes. */
export function eventData({ id, agentId, receivedAt, source, text, status }: EventView): object {
  return { id, agent_id: agentId, received_at: receivedAt, source, status, text }
}
