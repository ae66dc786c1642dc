import { DEFAULT_AGENT, isAgentId, LIMITS, quoted } from '@string-os/protocol'
import { CliError, EXIT, usageError } from '../exit.ts'

/** The agent that a verb is about: its word, or that of `--agent`; null where none is named. */
export function namedAgent([word, extra]: readonly string[], flagged: string | null): string | null {
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)} (one agent, or none)`)
  if (word !== undefined && flagged !== null && word !== flagged)
    throw usageError(`One agent: either ${quoted(word)} or --agent ${quoted(flagged)}`)
  const agent = word ?? flagged
  return agent === null ? null : agentName(agent)
}

/** The agent to speak for: that of `--agent`, else that of the environment. */
export function speakingAgent(flagged: string | null, configured: string): string {
  if (flagged !== null) return agentName(flagged)
  if (configured === DEFAULT_AGENT || isAgentId(configured)) return configured
  // How the verb is written is not what was wrong.
  throw new CliError(EXIT.usage, `STRING_AGENT names no agent: ${refusal(configured)}`)
}

/** Refuses what cannot be the name of an agent, before anybody is asked about it. */
export function agentName(written: string): string {
  if (written === '') throw usageError('The ID of the agent is empty; string agent list shows all')
  if (!isAgentId(written)) throw usageError(refusal(written))
  return written
}

function refusal(written: string): string {
  const rule = `letters, digits and . _ @ + -, at most ${LIMITS.agentIdChars}, and no dot at its beginning`
  return `${quoted(written)} cannot be the ID of an agent, which has ${rule}`
}
