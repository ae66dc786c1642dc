import type { Agent } from '../store/agents.ts'
import type { PlacedAgent, SharedAgent } from '../store/groups/agents.ts'

/** An agent as other nodes know it. */
export function sharedAgent({ id, home, profile, allowedPaths, createdAt, webhookToken }: Agent): SharedAgent {
  return { id, home, profile: profile ?? null, allowedPaths, createdAt, webhookToken: webhookToken ?? null }
}

/** An agent as a node keeps those that live on it. */
export function ownAgent({ id, home, profile, allowedPaths, createdAt, webhookToken }: SharedAgent): Agent {
  return {
    id,
    home,
    allowedPaths,
    createdAt,
    ...(profile === null ? {} : { profile }),
    ...(webhookToken === null ? {} : { webhookToken }),
  }
}

/** What whoever asks for an agent of another node is told. */
export function livesElsewhere({ id, node }: Pick<PlacedAgent, 'id' | 'node'>): string {
  return `Agent ${id} lives on node ${node}: ask there, or bring it here with string fleet move ${id} NODE`
}
