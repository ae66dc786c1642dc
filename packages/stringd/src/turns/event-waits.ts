import { type EventWait, type EventWaits, LIMITS, type LimitUse, type LimitView } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import { type Store, StoreAway } from '../store/store.ts'
import { capUse } from './cap-use.ts'
import type { Clock } from './clock.ts'
import { profilePath } from './profile-of.ts'
import type { Profiles } from './profiles.ts'
import type { Turns } from './turns.ts'
import { WAKE_MARK } from './wake.ts'
import { type WakeSituation, waitsByReason, whyWaits } from './why-waits.ts'

export interface WaitParts {
  readonly clock: Pick<Clock, 'now'>
  readonly store: Store
  readonly turns: Turns
  readonly profiles: Profiles
}

/** What the profile of an agent says about its work, and what keeps it from working. */
export interface AgentProspect {
  readonly wake: 'events' | null
  readonly problem: string | null
  readonly limit: LimitView | null
  readonly limits: readonly LimitUse[]
  readonly event_waits: readonly EventWaits[]
}

/** Of an agent of this node; of another, by its id alone, what its turns tell. */
export async function prospectOf(
  agentId: string,
  agent: Agent | null,
  pending: number,
  parts: WaitParts,
): Promise<AgentProspect> {
  const situation = agent === null ? null : await situationOf(agent, parts)
  const { wake = null, problem = null, limit = null } = situation ?? {}
  return {
    wake,
    problem,
    limit: limit === null ? null : { what: limit.what, until: isoTime(limit.opensAt) },
    limits: agent === null ? [] : await limitsOf(agent, parts),
    event_waits: pending === 0 ? [] : await waitsOf(agentId, situation, parts),
  }
}

async function limitsOf(agent: Agent, { store, profiles, clock }: WaitParts): Promise<LimitUse[]> {
  const found = profilePath(agent) === null ? null : await profiles.of(agent)
  if (found?.ok !== true) return []
  try {
    return await capUse(store, agent.id, found.profile.limits, clock.now())
  } catch (error) {
    if (error instanceof StoreAway) return []
    throw error
  }
}

/** Why one event waits; null of one that is dealt with. */
export async function eventWait(
  event: EventRow,
  turn: TurnRow | null,
  agent: Agent | null,
  parts: WaitParts,
): Promise<EventWait | null> {
  if (event.status !== 'pending') return null
  return whyWaits({ id: event.id, turn }, agent === null ? null : await situationOf(agent, parts))
}

async function waitsOf(agentId: string, situation: WakeSituation | null, { store }: WaitParts): Promise<EventWaits[]> {
  const asked = { agentIds: [agentId], status: 'pending', before: null, limit: LIMITS.listedPending } as const
  try {
    const events = await store.events.list(asked)
    const turns = await Promise.all(events.map(({ id }) => store.turns.ofEvent(agentId, id)))
    return waitsByReason(
      events.map(({ id }, at) => ({ id, turn: turns[at] ?? null })),
      situation,
    )
  } catch (error) {
    if (error instanceof StoreAway) return []
    throw error
  }
}

async function situationOf(agent: Agent, { store, turns, profiles }: WaitParts): Promise<WakeSituation> {
  const paused = turns.isPaused(agent.id)
  const none = { wake: null, problem: null, paused, limit: null, mark: null }
  if (profilePath(agent) === null) return none
  const found = await profiles.of(agent)
  if (!found.ok) return { ...none, problem: found.error }
  try {
    const [limit, mark] = await Promise.all([
      turns.reached(agent.id, found.profile),
      store.marks.get(`${WAKE_MARK}${agent.id}`),
    ])
    return { ...none, wake: found.profile.wake, limit, mark }
  } catch (error) {
    // What the profile says is known all the same.
    if (error instanceof StoreAway) return { ...none, wake: found.profile.wake }
    throw error
  }
}
