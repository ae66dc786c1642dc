import { agentIdOf, type FleetView, parseMoveRequest } from '@string-os/protocol'
import type { Exchange, Services } from '../route.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { nextOf } from './list-part.ts'

/** The nodes that share the store. */
export async function showFleet({ response, query }: Exchange, { fleet }: Services): Promise<void> {
  const given = query()
  if (!given.has('limit') && !given.has('before')) return answer(response, fleet)
  const some = nextOf(await fleet.nodes(), ({ name }) => name, given)
  if (!some.ok) return sendError(response, 400, some.error)
  const view: FleetView = { node: fleet.name, nodes: some.value }
  sendJson(response, 200, view)
}

/** No turn begins here until it is resumed, or restarted. */
export async function drainNode({ response }: Exchange, { fleet }: Services): Promise<void> {
  await fleet.drain(true)
  await answer(response, fleet)
}

export async function resumeNode({ response }: Exchange, { fleet }: Services): Promise<void> {
  await fleet.drain(false)
  await answer(response, fleet)
}

/** An agent of another node lives here from then on. */
export async function moveAgent({ response, json, bytes }: Exchange, { move }: Services): Promise<void> {
  const request = json.ok ? parseMoveRequest(json.value) : json
  if (!request.ok) return sendBodyError({ response, bytes }, request.error)
  const id = agentIdOf(request.value.agentId)
  if (!id.ok) return sendError(response, 400, id.error)
  const moved = await move(request.value)
  if (moved.ok) sendJson(response, 200, moved.moved)
  else sendError(response, moved.status, moved.error)
}

async function answer(response: Exchange['response'], fleet: Services['fleet']): Promise<void> {
  const view: FleetView = { node: fleet.name, nodes: await fleet.nodes() }
  sendJson(response, 200, view)
}
