import { isEventId } from '../../events/event-id.ts'
import type { Exchange, Services } from '../route.ts'
import { beginStream } from '../serve/respond.ts'
import { callingAgent } from './calling-agent.ts'

/** New events of one agent, and with `Last-Event-ID` those it has missed. */
export function streamEvents(exchange: Exchange, services: Services): void {
  const agent = callingAgent(exchange, services)
  if (agent === null) return
  const { request, response } = exchange
  const last = request.headers['last-event-id']
  beginStream(response)
  const { drained, remove } = services.subscribers.add(
    agent.id,
    {
      write: (bytes) => response.write(bytes),
      end: () => response.end(),
      cut: () => response.destroy(),
    },
    typeof last === 'string' && isEventId(last) ? last : null,
  )
  response.on('drain', drained)
  response.once('close', remove)
}
