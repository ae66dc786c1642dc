import {
  type AgentRequest,
  type AgentView,
  agentIdOf,
  LIMITS,
  parseAgentRequest,
  unknownAgentField,
} from '@string-os/protocol'
import { livesElsewhere } from '../../fleet/shared-agent.ts'
import { type Agent, HomeRefused } from '../../store/agents.ts'
import { whatIsOpened } from '../../store/allowed-path.ts'
import { homeSetting, NOT_FOLLOWED } from '../../store/home-setting.ts'
import type { ProfileCheck } from '../../turns/check-profile.ts'
import type { Exchange, Services } from '../route.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { sendError, sendJson } from '../serve/respond.ts'

/** What a home brings with it is used from now on, so whoever makes it a home is told. */
type SettingsCheck =
  | { readonly ok: true; readonly warnings: readonly string[]; readonly brings: readonly string[] }
  | { readonly ok: false; readonly error: string }

export async function registerAgent({ response, json, bytes }: Exchange, services: Services): Promise<void> {
  const request = json.ok ? parseAgentRequest(json.value) : json
  if (!request.ok) return sendBodyError({ response, bytes }, request.error)
  const check = await checkSettings(request.value, services)
  if (!check.ok) return sendError(response, 400, check.error)
  const warnings = [...request.value.unknown.slice(0, LIMITS.hintedNames).map(unknownAgentField), ...check.warnings]
  const { brings } = check
  const said = { ...(warnings.length > 0 && { warnings }), ...(brings.length > 0 && { brings }) }
  if (request.value.isCheck) {
    const { id, home } = services.agents.preview(request.value)
    return sendJson(response, 200, { agent_id: id, home, created: services.agents.get(id) === undefined, ...said })
  }
  try {
    const other = await services.residence.takePlace(request.value)
    if (other !== null) return sendError(response, 409, livesElsewhere(other))
    const registered = await services.residence.register(request.value)
    if (!registered.ok) return sendError(response, 503, `${registered.code}: ${registered.system}`)
    const { agent, created } = registered
    // Its profile may want events from now on.
    services.wakeUp(agent.id)
    sendJson(response, 200, { agent_id: agent.id, home: agent.home, created, ...said })
  } catch (error) {
    if (!(error instanceof HomeRefused)) throw error
    sendError(response, 400, error.message)
  }
}

export async function removeAgent({ response, params }: Exchange, services: Services): Promise<void> {
  const { residence, runtime, inbox, subscribers, dropDeliveries, dropTurns, log } = services
  const id = agentIdOf(params.id)
  if (!id.ok) return sendError(response, 400, id.error)
  const other = await residence.elsewhere(id.value)
  if (other !== null) return sendError(response, 409, livesElsewhere(other))
  const deleted = await residence.remove(id.value)
  // At once: while its processes end, another agent may come under the same id, whose events these are not.
  subscribers.end(id.value)
  const closed = deleted ? runtime.closeAgent(id.value) : Promise.resolve()
  // Also when the agent is gone already: an earlier attempt may have come only half the way.
  const [events] = await Promise.all([inbox.drop(id.value), dropDeliveries(id.value), dropTurns(id.value), closed])
  if (deleted || events > 0) log.info('An agent was deleted', { agent: id.value, droppedEvents: events })
  sendJson(response, 200, { agent_id: id.value, deleted })
}

/** Every command line registers its agent by its id alone: that changes nothing, so nothing is a reason to refuse it. */
async function checkSettings(
  request: AgentRequest,
  { agents, checkProfile, dataDir }: Services,
): Promise<SettingsCheck> {
  const isKnown = agents.get(request.agentId) !== undefined && request.home === undefined
  const { home, profile } = agents.preview(request)
  const own = isKnown ? null : homeSetting(home, 'profile.yaml')
  const isUsed = profile === undefined && (own?.state === 'there' || own?.state === 'linked')
  if (isUsed && own.state === 'linked') return { ok: false, error: `${own.path}: ${NOT_FOLLOWED}. Name it as profile` }
  const path = request.profile ?? (isUsed ? own.path : null)
  const check: ProfileCheck = path === null ? { ok: true, warnings: [], problem: null } : await checkProfile(path, home)
  if (!check.ok) return check
  const closed = { dataDir, isHome: (path: string) => agents.isHome(path) }
  const folders = (await Promise.all((request.allowedPaths ?? []).map((each) => whatIsOpened(each, closed)))).filter(
    (said) => said !== null,
  )
  const channels = isKnown ? null : homeSetting(home, 'channels.yaml')
  const brings = [...(channels?.state === 'there' ? [channels.path] : []), ...(isUsed ? [own.path] : [])]
  return { ...check, warnings: [...check.warnings, ...folders], brings }
}

export function viewAgent({ id, home, allowedPaths, createdAt, profile }: Agent): AgentView {
  return { id, home, allowedPaths, createdAt, ...(profile === undefined ? {} : { profile }) }
}
