import type { AgentRow } from '@string-os/protocol'
import type { VNode } from 'preact'

interface OfAgentProps {
  readonly agents: readonly AgentRow[]
  /** The empty one is every agent. */
  readonly agent: string
  readonly onAgent: (agent: string) => void
}

/** Chooses whose rows are shown. */
export function OfAgent({ agents, agent, onAgent }: OfAgentProps): VNode {
  return (
    <select aria-label="Of which agent" value={agent} onChange={({ currentTarget }) => onAgent(currentTarget.value)}>
      <option value="">every agent</option>
      {agents.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}
