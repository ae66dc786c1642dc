import { isAgentId, quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { usageError } from '../exit.ts'

/** The agent to speak for, where no daemon will be asked about it at once. */
export function speakingAgent({ agent }: Config): string {
  if (!isAgentId(agent)) throw usageError(`Invalid agent: ${quoted(agent)}`)
  return agent
}
