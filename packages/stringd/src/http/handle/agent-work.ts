import { agentIdOf, LIMITS } from '@string-os/protocol'
import { ownAgent } from '../../fleet/shared-agent.ts'
import type { Agent } from '../../store/agents.ts'
import { withProgress } from '../../turns/agent-work.ts'
import { profilePath } from '../../turns/profile-of.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { viewAgent } from './agents.ts'
import { listPart } from './list-part.ts'

/** An agent and what it is doing; of one that lives elsewhere what is stored. */
export async function showAgent(exchange: Exchange, services: Services): Promise<void> {
  const named = await namedAgent(exchange, services)
  if (named === null) return
  const { agent, node } = named
  const { fleet, standings, agentWork, prospect, checkProfile } = services
  const [standing] = await standings([named])
  const [working] = standing === undefined ? [] : await agentWork([standing])
  const work = standing === undefined || working === undefined ? null : withProgress(working.work, standing)
  // Only its node can read its profile.
  const profile = await prospect(agent.id, node === null ? agent : null, work?.pending_events ?? 0)
  if (node !== null) return sendJson(exchange.response, 200, { ...viewAgent(agent), ...work, ...profile, node })
  const path = profilePath(agent)
  const check = profile.problem === null && path !== null ? await checkProfile(path, agent.home) : null
  const problem = profile.problem ?? (check?.ok === true ? check.problem : null)
  const warnings = check?.ok === true ? check.warnings.filter((text) => text !== problem) : []
  const where = fleet.isAlone ? {} : { node: fleet.name }
  sendJson(exchange.response, 200, {
    ...viewAgent(agent),
    ...work,
    ...profile,
    problem,
    ...(warnings.length > 0 && { warnings }),
    ...where,
  })
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
  const named = await namedAgent(exchange, services)
  if (named === null) return
  const { agent } = named
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
  const named = await namedAgent(exchange, services)
  if (named === null) return
  const { agent } = named
  const session = exchange.params.session ?? ''
  sendJson(exchange.response, 200, { session, forgotten: await services.turns.forgetSession(agent.id, session) })
}

async function change(exchange: Exchange, services: Services, apply: (agent: Agent) => Promise<number>): Promise<void> {
  const named = await namedAgent(exchange, services)
  if (named === null) return
  const { agent, node } = named
  const cancelled = await apply(agent)
  const { turns } = services
  const paused = node === null ? turns.isPaused(agent.id) : (await turns.pausedAnywhere()).has(agent.id)
  sendJson(exchange.response, 200, { agent_id: agent.id, paused, cancelled })
}

/** An agent of any node; `node` is null where it lives here. */
async function namedAgent(
  { response, params }: Exchange,
  { agents, residence }: Services,
): Promise<{ agent: Agent; node: string | null } | null> {
  const id = agentIdOf(params.id)
  if (!id.ok) {
    sendError(response, 400, id.error)
    return null
  }
  const agent = agents.get(id.value)
  if (agent !== undefined) return { agent, node: null }
  const other = await residence.elsewhere(id.value)
  if (other !== null) return { agent: ownAgent(other), node: other.node }
  sendError(response, 404, `Unknown agent: ${id.value}`)
  return null
}
