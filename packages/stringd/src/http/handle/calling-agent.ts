import { agentIdOf } from '@string-os/protocol'
import { livesElsewhere } from '../../fleet/shared-agent.ts'
import type { Agent } from '../../store/agents.ts'
import type { TextReply } from '../message.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError } from '../serve/respond.ts'

/** The agent that a request speaks for; null when that is answered with an error. */
export function callingAgent({ request, response }: Exchange, services: Services): Agent | null {
  const header = request.headers['x-agent-id']
  if (header === undefined || header === '') {
    sendError(response, 400, 'X-Agent-Id header required')
    return null
  }
  const agent = typeof header === 'string' ? services.agents.get(header) : undefined
  if (agent !== undefined) return agent
  const id = agentIdOf(header)
  if (id.ok) void refuseUnknown(response, services, id.value, 401)
  else sendError(response, 400, id.error)
  return null
}

/** An agent that does not live here: it lives elsewhere, or nowhere. */
async function refuseUnknown(
  response: TextReply,
  { residence, log }: Services,
  id: string,
  status: 401 | 404,
): Promise<void> {
  try {
    const other = await residence.elsewhere(id)
    if (other !== null) return sendError(response, 409, livesElsewhere(other))
  } catch (error) {
    log.debug('Where an agent lives could not be asked', { agent: id, cause: String(error) })
  }
  sendError(response, status, `Unknown agent: ${id}`)
}
