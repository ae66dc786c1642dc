import { agentIdOf, quoted } from '@string-os/protocol'
import { usageError } from '../exit.ts'

/** The agent that a verb is about: its word, or that of `--agent`; null where none is named. */
export function namedAgent([word, extra]: readonly string[], flagged: string | null): string | null {
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)} (one agent, or none)`)
  if (word !== undefined && flagged !== null && word !== flagged)
    throw usageError(`One agent: either ${quoted(word)} or --agent ${quoted(flagged)}`)
  const agent = word ?? flagged
  const id = agent === null ? null : agentIdOf(agent)
  if (id !== null && !id.ok) throw usageError(id.error)
  return agent
}
