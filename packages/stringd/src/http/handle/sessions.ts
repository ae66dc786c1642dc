import {
  agentIdOf,
  LIMITS,
  type Parsed,
  parseCancelRequest,
  parseSessionRequest,
  type SessionAttended,
  type SessionCancelled,
  type SessionShown,
  type SessionView,
  type Topic,
  topicOf,
  valid,
} from '@string-os/protocol'
import type { Exchange, Services } from '../route.ts'
import { hasBody } from '../serve/body.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { endJson, sendError, sendJson } from '../serve/respond.ts'
import { documentMeta } from './document-meta.ts'
import { lastOf } from './list-part.ts'
import { callerOf } from './watch-caller.ts'

type ListedTopic = ReturnType<Services['runtime']['sessions']>[number]

export function listSessions({ response, query }: Exchange, { runtime }: Services): void {
  const given = query()
  const named = given.get('agent_id')
  const id = named === null || named === '' ? null : agentIdOf(named)
  if (id !== null && !id.ok) return sendError(response, 400, id.error)
  const all = runtime.sessions(id?.value)
  const some = lastOf(all, ({ agentId, topic }) => `${agentId}/${topic.canonical}`, given)
  if (!some.ok) return sendError(response, 400, some.error)
  sendJson(response, 200, { sessions: some.value.map(viewSession) })
}

/** What a topic shows now. Nothing is run, changed or fetched for it. */
export async function showSession({ response, params }: Exchange, { agents, runtime }: Services): Promise<void> {
  const named = sessionOf(params)
  if (!named.ok) return sendError(response, 400, named.error)
  const { agentId, topic } = named.value
  const agent = agents.get(agentId)
  const shown = agent === undefined ? null : await runtime.look(agent, topic)
  if (shown === null) return sendError(response, 404, `No such topic: ${agentId}/${topic.canonical}`)
  const { state, text, tokens, shell } = shown
  const answer: SessionShown = {
    ...viewSession(state),
    text,
    format: tokens === null ? 'text' : 'markdown',
    tokens,
    meta: documentMeta(state.document),
    screen: shell === null ? null : { cwd: shell.cwd, place: shell.place, running: shell.running },
  }
  sendJson(response, 200, answer)
}

export function touchSession({ response, json, bytes }: Exchange, { agents, runtime }: Services): void {
  const request = json.ok ? parseSessionRequest(json.value) : json
  if (!request.ok) return sendBodyError({ response, bytes }, request.error)
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
  const named = sessionOf(params)
  if (!named.ok) return sendError(response, 400, named.error)
  const { agentId, topic } = named.value
  const deleted = await runtime.close(agentId, topic)
  sendJson(response, 200, { agent_id: agentId, topic: topic.canonical, deleted })
}

/** Ends the command that runs, and with `all` those that wait; the session stays. */
export async function cancelSession(exchange: Exchange, { runtime }: Services): Promise<void> {
  const { request, response, params, json } = exchange
  const named = sessionOf(params)
  if (!named.ok) return sendError(response, 400, named.error)
  const asked = hasBody(request) ? json : valid({})
  const options = asked.ok ? parseCancelRequest(asked.value) : asked
  if (!options.ok) return sendBodyError(exchange, options.error)
  const { agentId, topic } = named.value
  const cancelled = await runtime.cancel(agentId, topic, options.value.all)
  const answer: SessionCancelled = { agent_id: agentId, topic: topic.canonical, cancelled }
  sendJson(response, 200, answer)
}

/** Open as long as what runs in a shell does: whoever closes it before takes that along, wherever they are with its output. */
export async function attendSession(exchange: Exchange, { runtime, heartbeat }: Services): Promise<void> {
  const { response, params } = exchange
  const named = sessionOf(params)
  if (!named.ok) return sendError(response, 400, named.error)
  const { agentId, topic } = named.value
  heartbeat.start(response, 'json')
  const attended = await runtime.attend(agentId, topic, callerOf(exchange))
  heartbeat.stop(response)
  const answer: SessionAttended = { agent_id: agentId, topic: topic.canonical, attended }
  endJson(response, answer)
}

function sessionOf(params: Exchange['params']): Parsed<{ readonly agentId: string; readonly topic: Topic }> {
  const id = agentIdOf(params.agent_id)
  if (!id.ok) return id
  const topic = topicOf(params.topic)
  return topic.ok ? valid({ agentId: id.value, topic: topic.value }) : topic
}

export function closeSessionUnnamed({ response }: Exchange): void {
  sendError(response, 400, 'Expected /sessions/:agent_id/:topic')
}

function viewSession({ agentId, topic, isRunning, waiting, running, document }: ListedTopic): SessionView {
  return {
    agent_id: agentId,
    topic: topic.canonical,
    topic_type: topic.type,
    executing: isRunning,
    queue_length: waiting,
    running:
      running === null ? null : { command: running.command, since: running.since, request_id: running.requestId },
    doc: documentMeta(document),
  }
}
