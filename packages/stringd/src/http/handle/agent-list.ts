import {
  AGENT_FILTERS,
  AGENT_ORDERS,
  type AgentFilter,
  type AgentOrder,
  type AgentRow,
  LIMITS,
  type OverviewView,
  type Parsed,
  valid,
} from '@string-os/protocol'
import { viewApproval } from '../../approvals/approval-view.ts'
import { ownAgent } from '../../fleet/shared-agent.ts'
import { StoreAway } from '../../store/store.ts'
import { byState, countsOf, failedLast, longest } from '../../turns/agent-overview.ts'
import type { ListedAgent, Standing } from '../../turns/agent-standing.ts'
import type { Exchange, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { viewAgent } from './agents.ts'
import { lastOf, nextOf, wordOf } from './list-part.ts'

/** Which agents are wanted, and in which order. */
interface AgentQuery {
  readonly isAll: boolean
  readonly order: AgentOrder | null
  readonly state: AgentFilter | null
  /** In small letters. */
  readonly named: string
}

/**
 * In the order in which they were registered, or by their states; each with what it does. With `all=1` those of every node,
 * by id. What all of them do is looked at only where that is asked for.
 */
export async function listAgents({ response, query }: Exchange, services: Services): Promise<void> {
  const given = query()
  const asked = agentQuery(given)
  if (!asked.ok) return sendError(response, 400, asked.error)
  const { isAll, order, state, named } = asked.value
  const listed = (await agentsOf(services, isAll)).filter(({ agent }) => agent.id.toLowerCase().includes(named))
  if (order !== 'state' && state === null) {
    const some = partOf(listed, order, given)
    if (!some.ok) return sendError(response, 400, some.error)
    return sendJson(response, 200, { agents: await rowsOf(await services.standings(some.value), services, isAll) })
  }
  const found = (await services.standings(listed)).filter((one) => isSo(one, state))
  const some = partOf(order === 'state' ? byState(found) : found, order, given)
  if (!some.ok) return sendError(response, 400, some.error)
  sendJson(response, 200, { agents: await rowsOf(some.value, services, isAll) })
}

/** Without an order the last ones, as those that were registered last are looked for; else the first. */
function partOf<T extends ListedAgent>(
  listed: readonly T[],
  order: AgentOrder | null,
  given: URLSearchParams,
): Parsed<readonly T[]> {
  const nameOf = ({ agent }: T): string => agent.id
  if (order === null) return lastOf(listed, nameOf, given)
  const isByName = order === 'name'
  return nextOf(isByName ? listed.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : listed, nameOf, given)
}

/** What runs, what waits for a person and what went wrong: over all agents, and without listing them. */
export async function showOverview({ response, query }: Exchange, services: Services): Promise<void> {
  const isAll = query().get('all') === '1'
  const standings = await services.standings(await agentsOf(services, isAll))
  const [running, failing, asked] = await Promise.all([
    rowsOf(longest(standings), services, isAll),
    rowsOf(failedLast(standings), services, isAll),
    orAway(askedOf(services), { approvals: null, waiting: [] }),
  ])
  const overview: OverviewView = {
    node: services.fleet.name,
    agents: countsOf(standings),
    ...asked,
    pending_events: standings.reduce((sum, { pending }) => sum + pending, 0),
    running,
    failing,
  }
  sendJson(response, 200, overview)
}

async function askedOf({ store, approvals }: Services): Promise<Pick<OverviewView, 'approvals' | 'waiting'>> {
  const [all, oldest] = await Promise.all([
    store.approvals.waiting(LIMITS.approvalsWaiting),
    approvals.list({
      agentId: null,
      turnId: null,
      state: 'waiting',
      before: null,
      after: '',
      limit: LIMITS.overviewAgents,
    }),
  ])
  return { approvals: all.length, waiting: oldest.map(viewApproval) }
}

function agentQuery(given: URLSearchParams): Parsed<AgentQuery> {
  const order = wordOf(given, 'order', AGENT_ORDERS)
  if (!order.ok) return order
  const state = wordOf(given, 'state', AGENT_FILTERS)
  if (!state.ok) return state
  const named = (given.get('named') ?? '').toLowerCase()
  return valid({ isAll: given.get('all') === '1', order: order.value, state: state.value, named })
}

const isSo = ({ state, paused }: Standing, wanted: AgentFilter | null): boolean =>
  wanted === null || (wanted === 'paused' ? paused : state === wanted)

/** Those of this node, or of all; while the store is away, which knows the others, those of this node. */
async function agentsOf({ agents, residence, fleet }: Services, isAll: boolean): Promise<ListedAgent[]> {
  const all = isAll && !fleet.isAlone ? await orAway(residence.all(), null) : null
  if (all === null) return agents.list().map((agent) => ({ agent, node: null }))
  return all.map((placed) => ({
    agent: ownAgent(placed),
    node: placed.nodeId === fleet.id ? null : placed.node,
  }))
}

async function rowsOf(
  standings: readonly Standing[],
  { agentWork, fleet }: Services,
  isAll: boolean,
): Promise<AgentRow[]> {
  const working = await agentWork(standings)
  return working.map(({ agent, node, work }) => ({
    ...viewAgent(agent),
    ...work,
    ...(isAll ? { node: node ?? fleet.name } : {}),
  }))
}

async function orAway<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof StoreAway) return otherwise
    throw error
  }
}
