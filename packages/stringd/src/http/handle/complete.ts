import { parseCompleteRequest } from '@string-os/protocol'
import type { Exchange, Services } from '../route.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { sendJson } from '../serve/respond.ts'
import { callingAgent } from './calling-agent.ts'
import { callerOf } from './watch-caller.ts'

/** What may stand where a line that somebody types ends. */
export async function complete(exchange: Exchange, services: Services): Promise<void> {
  const { response, json } = exchange
  const agent = callingAgent(exchange, services)
  if (agent === null) return
  const request = json.ok ? parseCompleteRequest(json.value) : json
  if (!request.ok) return sendBodyError(exchange, request.error)
  const { text, topic, cwd } = request.value
  const watchCaller = callerOf(exchange)
  sendJson(response, 200, await services.runtime.complete({ agent, topic, command: text, cwd, watchCaller }))
}
