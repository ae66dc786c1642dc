import type { AgentState, AgentWork, TurnBrief } from '@string-os/protocol'
import { LIMITS, truncate } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import { eachInTurn } from '../store/each-in-turn.ts'
import type { LatestTurn } from '../store/groups/turns.ts'
import { type Store, StoreAway } from '../store/store.ts'
import type { LiveTurn } from './live-turn.ts'
import { profilePath } from './profile-of.ts'

export interface AgentWorkParts {
  readonly store: Store
  readonly isPaused: (agentId: string) => boolean
  /** Turns that wait or run. */
  readonly live: () => readonly LiveTurn[]
}

/** What the store knows of agents, each in its place. */
interface Known {
  readonly pending: readonly number[]
  readonly latest: ReadonlyMap<string, LatestTurn>
  readonly approvals: ReadonlyMap<string, number>
}

const NOTHING_KNOWN: Known = { pending: [], latest: new Map(), approvals: new Map() }

/** What each of many agents does, in a few questions for all of them together. */
export async function workOfAgents(agents: readonly Agent[], parts: AgentWorkParts): Promise<AgentWork[]> {
  const known = await knownOf(agents, parts.store)
  const live = byAgent(parts.live())
  let index = -1
  return eachInTurn(agents, (agent) => {
    index += 1
    const turns = live.get(agent.id) ?? []
    const running = turns.filter(({ turn }) => turn.state === 'running' || turn.state === 'waiting')
    const [longest] = running.toSorted((a, b) => (since(a) < since(b) ? -1 : 1))
    const last = known.latest.get(agent.id) ?? null
    return {
      state: stateOf(running, last),
      paused: parts.isPaused(agent.id),
      has_profile: profilePath(agent) !== null,
      running: running.length,
      waiting: turns.length - running.length,
      turn: longest === undefined ? null : briefOf(longest),
      last_turn:
        last === null ? null : { turn_id: last.id, state: last.state, code: last.code, ended_at: last.endedAt },
      silent_since: running.length > 0 ? null : (last?.endedAt ?? null),
      pending_events: known.pending[index] ?? 0,
      approvals: known.approvals.get(agent.id) ?? 0,
    }
  })
}

/** While the store is away, what runs is known all the same. */
async function knownOf(agents: readonly Agent[], store: Store): Promise<Known> {
  const ids = agents.map(({ id }) => id)
  try {
    const [pending, latest, waiting] = await Promise.all([
      store.events.countPending(ids, LIMITS.listedPending),
      store.turns.latest(ids),
      store.approvals.waiting(LIMITS.approvalsWaiting),
    ])
    const approvals = new Map<string, number>()
    for (const id of waiting) approvals.set(id, (approvals.get(id) ?? 0) + 1)
    return { pending, latest: new Map(latest.map((turn) => [turn.agentId, turn])), approvals }
  } catch (error) {
    if (error instanceof StoreAway) return NOTHING_KNOWN
    throw error
  }
}

function byAgent(live: readonly LiveTurn[]): Map<string, LiveTurn[]> {
  const found = new Map<string, LiveTurn[]>()
  for (const each of live) {
    const own = found.get(each.turn.agentId)
    if (own === undefined) found.set(each.turn.agentId, [each])
    else own.push(each)
  }
  return found
}

function stateOf(running: readonly LiveTurn[], last: LatestTurn | null): AgentState {
  if (running.some(({ turn }) => turn.state === 'waiting')) return 'waiting'
  if (running.length > 0) return 'running'
  // One that is to be tried again has failed as well.
  const isFailing = last !== null && (last.state === 'failed' || (last.state === 'queued' && last.attempt > 1))
  return isFailing ? 'failing' : 'idle'
}

function since({ turn }: LiveTurn): string {
  return turn.startedAt ?? turn.createdAt
}

function briefOf(live: LiveTurn): TurnBrief {
  const { id, session, state, message } = live.turn
  return {
    turn_id: id,
    session,
    state,
    since: since(live),
    message: truncate(message, LIMITS.turnPreviewChars),
  }
}
