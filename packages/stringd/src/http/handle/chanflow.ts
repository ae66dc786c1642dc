import { parseChanFlowRequest } from '@string-os/protocol'
import type { Exchange, Services } from '../route.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { sendJson } from '../serve/respond.ts'
import { callingAgent } from './calling-agent.ts'
import { callerOf } from './watch-caller.ts'

/** Runs what a model wrote; the answer comes when every block has its own. */
export async function chanFlow(exchange: Exchange, services: Services): Promise<void> {
  const { response, json } = exchange
  const agent = callingAgent(exchange, services)
  if (agent === null) return
  const request = json.ok ? parseChanFlowRequest(json.value) : json
  if (!request.ok) return sendBodyError(exchange, request.error)
  const { text, cwd, cancelOnLeave } = request.value
  const reply = await services.runText({ agent, text, cwd, cancelOnLeave, watchCaller: callerOf(exchange) })
  sendJson(response, 200, reply)
}
