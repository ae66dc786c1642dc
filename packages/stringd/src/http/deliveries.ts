import { agentIdOf } from '@string-os/protocol'
import { sendError, sendJson } from './respond.ts'
import type { Exchange, Services } from './route.ts'

/** Messages to other channels, newest first, of one agent or of all. */
export function listDeliveries({ response, query }: Exchange, { deliveries }: Services): void {
  const named = query().get('agent_id')
  if (named === null) return sendJson(response, 200, { deliveries: deliveries(null) })
  const id = agentIdOf(named)
  if (!id.ok) return sendError(response, 400, id.error)
  sendJson(response, 200, { deliveries: deliveries(id.value) })
}
