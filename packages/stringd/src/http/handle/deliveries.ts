import { agentIdOf, type DeliveryView } from '@string-os/protocol'
import type { DeliveryRow } from '../../store/groups/deliveries.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'

/** Messages to other channels, newest first, of one agent or of all. */
export async function listDeliveries({ response, query }: Exchange, { deliveries }: Services): Promise<void> {
  const named = query().get('agent_id')
  if (named === null) return sendJson(response, 200, { deliveries: (await deliveries(null)).map(viewDelivery) })
  const id = agentIdOf(named)
  if (!id.ok) return sendError(response, 400, id.error)
  sendJson(response, 200, { deliveries: (await deliveries(id.value)).map(viewDelivery) })
}

function viewDelivery(delivery: DeliveryRow): DeliveryView {
  const { id, agentId, channel, target, state, tries, createdAt, nextAt, reason } = delivery
  return { id, agent_id: agentId, channel, target, state, tries, created_at: createdAt, next_at: nextAt, reason }
}
