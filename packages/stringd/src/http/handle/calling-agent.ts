import { agentIdOf } from '@string-os/protocol'
import type { Agent } from '../../store/agents.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError } from '../serve/respond.ts'

/** The agent that a request speaks for; null when that has been answered with an error. */
export function callingAgent({ request, response }: Exchange, { agents }: Services): Agent | null {
  const header = request.headers['x-agent-id']
  if (header === undefined || header === '') {
    sendError(response, 400, 'X-Agent-Id header required')
    return null
  }
  const agent = typeof header === 'string' ? agents.get(header) : undefined
  if (agent !== undefined) return agent
  const id = agentIdOf(header)
  if (id.ok) sendError(response, 401, `Unknown agent: ${id.value}`)
  else sendError(response, 400, id.error)
  return null
}
