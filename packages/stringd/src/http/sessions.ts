import { agentIdOf, LIMITS, parseSessionRequest, topicOf } from '@string-os/protocol'
import { sendError, sendJson } from './respond.ts'
import type { Exchange, Services } from './route.ts'

export function listSessions({ response, query }: Exchange, { runtime }: Services): void {
  const given = query().get('agent_id')
  if (given === null || given === '') return sendJson(response, 200, { sessions: runtime.sessions() })
  const id = agentIdOf(given)
  if (!id.ok) return sendError(response, 400, id.error)
  sendJson(response, 200, { sessions: runtime.sessions(id.value) })
}

export function touchSession({ response, json }: Exchange, { agents, runtime }: Services): void {
  const request = json.ok ? parseSessionRequest(json.value) : json
  if (!request.ok) return sendError(response, 400, request.error)
  const { agentId, topic } = request.value
  if (agents.get(agentId) === undefined) return sendError(response, 401, `Unknown agent: ${agentId}`)
  const touched = runtime.touch(agentId, topic)
  if (touched === null) return sendError(response, 503, `LIMIT_REACHED: there are ${LIMITS.topics} topics already`)
  sendJson(response, 200, {
    agent_id: agentId,
    topic: topic.canonical,
    topic_type: topic.type,
    created: touched.created,
  })
}

export async function closeSession({ response, params }: Exchange, { runtime }: Services): Promise<void> {
  const id = agentIdOf(params.agent_id)
  if (!id.ok) return sendError(response, 400, id.error)
  const topic = topicOf(params.topic)
  if (!topic.ok) return sendError(response, 400, topic.error)
  const deleted = await runtime.close(id.value, topic.value)
  sendJson(response, 200, { agent_id: id.value, topic: topic.value.canonical, deleted })
}

export function closeSessionUnnamed({ response }: Exchange): void {
  sendError(response, 400, 'Expected /sessions/:agent_id/:topic')
}
