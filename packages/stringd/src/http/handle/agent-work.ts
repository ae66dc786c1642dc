import { agentIdOf, LIMITS } from '@string-os/protocol'
import type { Agent } from '../../store/agents.ts'
import { profilePath } from '../../turns/profile-of.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { viewAgent } from './agents.ts'
import { listPart } from './list-part.ts'

/** An agent and what it is doing. */
export async function showAgent(exchange: Exchange, services: Services): Promise<void> {
  const agent = namedAgent(exchange, services)
  if (agent === null) return
  const { agentWork, workOf, checkProfile } = services
  const [[work], profile] = await Promise.all([agentWork([agent]), workOf(agent)])
  const path = profilePath(agent)
  const check = profile.problem === null && path !== null ? await checkProfile(path) : null
  const problem = profile.problem ?? (check?.ok === true ? check.problem : null)
  sendJson(exchange.response, 200, { ...viewAgent(agent), ...work, ...profile, problem })
}

/** No event wakes it until it is resumed; people may still ask. */
export function pauseAgent(exchange: Exchange, services: Services): Promise<void> {
  return change(exchange, services, (agent) => services.turns.pause(agent.id, false))
}

/** Ends what runs, drops what waits, and pauses. */
export function stopAgent(exchange: Exchange, services: Services): Promise<void> {
  return change(exchange, services, (agent) => services.turns.pause(agent.id, true))
}

export function resumeAgent(exchange: Exchange, services: Services): Promise<void> {
  return change(exchange, services, async (agent) => {
    await services.turns.resume(agent.id)
    services.wakeUp(agent.id)
    return 0
  })
}

/** Its conversations, used last first. */
export async function listAgentSessions(exchange: Exchange, services: Services): Promise<void> {
  const agent = namedAgent(exchange, services)
  if (agent === null) return
  const asked = listPart(exchange.query(), LIMITS.listedMax)
  if (!asked.ok) return sendError(exchange.response, 400, asked.error)
  const { limit, before } = asked.value
  const all = await services.turns.sessions(agent.id)
  const begin = before === null ? 0 : all.findIndex(({ session }) => session === before) + 1
  const sessions = all.slice(begin, begin + limit)
  sendJson(exchange.response, 200, {
    sessions: sessions.map(({ session, sessionId, usedAt }) => ({ session, session_id: sessionId, used_at: usedAt })),
  })
}

/** The next message begins it anew. */
export async function forgetAgentSession(exchange: Exchange, services: Services): Promise<void> {
  const agent = namedAgent(exchange, services)
  if (agent === null) return
  const session = exchange.params.session ?? ''
  sendJson(exchange.response, 200, { session, forgotten: await services.turns.forgetSession(agent.id, session) })
}

async function change(exchange: Exchange, services: Services, apply: (agent: Agent) => Promise<number>): Promise<void> {
  const agent = namedAgent(exchange, services)
  if (agent === null) return
  const cancelled = await apply(agent)
  sendJson(exchange.response, 200, { agent_id: agent.id, paused: services.turns.isPaused(agent.id), cancelled })
}

function namedAgent({ response, params }: Exchange, { agents }: Services): Agent | null {
  const id = agentIdOf(params.id)
  const agent = id.ok ? agents.get(id.value) : undefined
  if (!id.ok) sendError(response, 400, id.error)
  else if (agent === undefined) sendError(response, 404, `Unknown agent: ${id.value}`)
  return agent ?? null
}
