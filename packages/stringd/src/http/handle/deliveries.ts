import { DELIVERY_STATES, type DeliveryView, LIMITS } from '@string-os/protocol'
import type { DeliveryRow } from '../../store/groups/deliveries.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { listPart, wordOf } from './list-part.ts'
import { unknownId } from './unknown-id.ts'

/** Messages to other channels, newest first, of one agent or of all. */
export async function listDeliveries({ response, query }: Exchange, { deliveries }: Services): Promise<void> {
  const given = query()
  const asked = listPart(given, LIMITS.listedDeliveries)
  if (!asked.ok) return sendError(response, 400, asked.error)
  const state = wordOf(given, 'state', DELIVERY_STATES)
  if (!state.ok) return sendError(response, 400, state.error)
  const { agentId, limit, before } = asked.value
  const found = await deliveries.list(agentId, limit, { state: state.value, before })
  sendJson(response, 200, { deliveries: found.map(viewDelivery) })
}

/** One, with what it says. */
export async function showDelivery({ response, params }: Exchange, { deliveries }: Services): Promise<void> {
  const found = await deliveries.get(params.id ?? '')
  if (found === null) return sendError(response, 404, unknownId('delivery', params.id))
  sendJson(response, 200, { ...viewDelivery(found), text: found.text })
}

/** Tries one now that waits or failed. */
export async function retryDelivery(exchange: Exchange, services: Services): Promise<void> {
  const { response, params } = exchange
  const found = await services.deliveries.get(params.id ?? '')
  if (found === null) return sendError(response, 404, unknownId('delivery', params.id))
  if (!(await services.deliveries.retry(found.id)))
    return sendJson(response, 409, { error: 'CONFLICT', message: `It is ${found.state}: nothing is to be tried again` })
  // Its agent may live on another node, which sends it.
  if (services.agents.get(found.agentId) === undefined) await services.residence.sign(found.agentId)
  await showDelivery(exchange, services)
}

function viewDelivery(delivery: DeliveryRow): DeliveryView {
  const { id, agentId, channel, target, state, tries, createdAt, nextAt, reason } = delivery
  return { id, agent_id: agentId, channel, target, state, tries, created_at: createdAt, next_at: nextAt, reason }
}
