import { agentIdOf, type InboxItem, LIMITS, truncate } from '@string-os/protocol'
import type { EventRow } from '../../store/groups/events.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { listPart, wordOf } from './list-part.ts'
import { unknownId } from './unknown-id.ts'

/** Events of one agent or of all, newest first, each with the turn that it became. */
export async function listEvents({ response, query }: Exchange, services: Services): Promise<void> {
  const given = query()
  const asked = listPart(given, LIMITS.listedEvents)
  if (!asked.ok) return sendError(response, 400, asked.error)
  const state = wordOf(given, 'state', ['pending', 'acked'])
  if (!state.ok) return sendError(response, 400, state.error)
  const { agentId, limit, before } = asked.value
  const agentIds = agentId === null ? services.agents.list().map(({ id }) => id) : [agentId]
  const events = await services.store.events.list({ agentIds, status: state.value, before, limit })
  const items = await Promise.all(events.map((event) => viewItem(event, services)))
  sendJson(response, 200, {
    events: items.map((item) => ({ ...item, text: truncate(item.text, LIMITS.eventPreviewChars) })),
  })
}

export async function showEvent(exchange: Exchange, services: Services): Promise<void> {
  const event = await namedEvent(exchange, services)
  if (event !== null) sendJson(exchange.response, 200, await viewItem(event, services))
}

export async function ackEvent(exchange: Exchange, services: Services): Promise<void> {
  const event = await namedEvent(exchange, services)
  if (event === null) return
  await services.inbox.ack(event.agentId, [event.id])
  await showEvent(exchange, services)
}

/** Gives it to its agent once more. */
export async function retryStoredEvent(exchange: Exchange, services: Services): Promise<void> {
  const event = await namedEvent(exchange, services)
  if (event === null) return
  const { agents, residence, turns } = services
  const agent = agents.get(event.agentId)
  if (agent === undefined) {
    if ((await residence.elsewhere(event.agentId)) === null)
      return sendError(exchange.response, 404, `Unknown agent: ${event.agentId}`)
    await turns.retryEvent(event)
    return showEvent(exchange, services)
  }
  const woken = await services.wakeFor(agent, event)
  if (!woken.ok) return sendJson(exchange.response, 409, { error: 'NO_PROFILE', message: woken.system })
  await showEvent(exchange, services)
}

/** Null when that has been answered. */
async function namedEvent({ response, params, query }: Exchange, services: Services): Promise<EventRow | null> {
  const named = query().get('agent_id')
  const agentId = named === null ? null : agentIdOf(named)
  if (agentId !== null && !agentId.ok) {
    sendError(response, 400, agentId.error)
    return null
  }
  const agentIds = agentId === null ? services.agents.list().map(({ id }) => id) : [agentId.value]
  const event = await services.store.events.find(agentIds, params.id ?? '')
  if (event === null) sendError(response, 404, unknownId('event', params.id))
  return event
}

async function viewItem(event: EventRow, { store, agents, eventWait }: Services): Promise<InboxItem> {
  const { id, agentId, source, status, receivedAt, ackedAt, text } = event
  const turn = await store.turns.ofEvent(agentId, id)
  return {
    id,
    agent_id: agentId,
    source,
    state: status,
    received_at: receivedAt,
    acked_at: ackedAt,
    text,
    bytes: Buffer.byteLength(text),
    turn: turn === null ? null : { turn_id: turn.id, state: turn.state, code: turn.code, attempt: turn.attempt },
    waits: await eventWait(event, turn, agents.get(agentId) ?? null),
  }
}
