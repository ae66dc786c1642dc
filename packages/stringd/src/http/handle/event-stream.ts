import type { Outlet } from '../../events/subscribers.ts'
import { isEventId } from '../../store/event-id.ts'
import type { OrdinaryExchange, Services } from '../route.ts'
import { beginStream } from '../serve/respond.ts'
import { callingAgent } from './calling-agent.ts'

/** New events of one agent, and with `Last-Event-ID` those it has missed. */
export async function streamEvents(exchange: OrdinaryExchange, services: Services): Promise<void> {
  const agent = callingAgent(exchange, services)
  if (agent === null) return
  const { request, response } = exchange
  const last = request.headers['last-event-id']
  const after = typeof last === 'string' && isEventId(last) ? last : null
  const cursor = await services.subscribers.begin(agent.id, after)
  // Meanwhile it may have left, or been deleted.
  if (response.destroyed || callingAgent(exchange, services) === null) return
  beginStream(response)
  const outlet: Outlet = {
    write: (bytes) => response.write(bytes),
    end: () => response.end(),
    cut: () => response.destroy(),
  }
  const { drained, remove } = services.subscribers.add(agent.id, outlet, cursor)
  response.on('drain', drained)
  response.once('close', remove)
}
