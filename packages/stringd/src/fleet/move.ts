import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentMoved, LIMITS, type MoveRequest } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import type { PlacedAgent, SharedAgent } from '../store/groups/agents.ts'
import { isoTime } from '../store/iso-time.ts'
import type { Store } from '../store/store.ts'
import type { Fleet } from './fleet.ts'
import type { Residence } from './residence.ts'

export interface MoveParts {
  readonly store: Store
  readonly fleet: Fleet
  readonly residence: Residence
  /** Turns of another node were given up. */
  readonly onSwept: () => void
  readonly log: Log
}

export type Moved =
  | { readonly ok: true; readonly moved: AgentMoved }
  | { readonly ok: false; readonly status: 404 | 409 | 503; readonly error: string }

const LOOK_MS = 500

/**
 * The agent lives here from now on, with its events, turns, sessions and token; its files do not come along. What runs is
 * waited for, or ended; nothing of it begins meanwhile.
 */
export async function moveHere(parts: MoveParts, { agentId, home, isNow }: MoveRequest): Promise<Moved> {
  const { store, fleet, residence, log } = parts
  const own = residence.isHere(agentId) ? residence.agent(agentId) : undefined
  if (own !== undefined) return movedBefore(fleet, own, home)
  const found = await store.agents.find(agentId)
  if (found === null) return refused(404, `Unknown agent: ${agentId}`)
  const next = atHome(found, home ?? found.home)
  const missing = missingHere(next, home === null)
  if (missing !== null) return refused(409, missing)
  await store.agents.wantAt(agentId, fleet.id)
  try {
    if (!(await isQuiet(parts, agentId, isNow)))
      return refused(503, `A turn of ${agentId} still runs: try again later, or end it with --now`)
    await store.agents.move(next, fleet.id)
  } finally {
    // Without effect where it has moved.
    await store.agents.wantAt(agentId, null)
  }
  await residence.look(agentId)
  const { length: waiting } = await store.relay.openOf(agentId, '', LIMITS.removedAtOnce)
  log.info('An agent has moved to this node', { agent: agentId, from: found.node })
  return { ok: true, moved: { agent_id: agentId, from: found.node, to: fleet.name, home: next.home, waiting } }
}

/** Whoever did not hear the answer may ask again. */
function movedBefore({ name }: Fleet, { id, home }: Agent, wanted: string | null): Moved {
  if (wanted !== null && wanted !== home)
    return refused(
      409,
      `Agent ${id} lives on this node already, in ${home}: string agent add ${id} --home DIR changes that`,
    )
  return { ok: true, moved: { agent_id: id, from: name, to: name, home, waiting: 0 } }
}

function refused(status: 404 | 409 | 503, error: string): Moved {
  return { ok: false, status, error }
}

/** A profile inside the home is at the same place in the other one. */
function atHome(agent: PlacedAgent, home: string): SharedAgent {
  const { profile } = agent
  const inside = profile === null ? '..' : relative(agent.home, profile)
  return { ...agent, home, profile: profile === null || inside.startsWith('..') ? profile : join(home, inside) }
}

function missingHere({ id, home, profile }: SharedAgent, isSamePath: boolean): string | null {
  const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
  if (!isThere(home))
    return `The home of ${id}, ${home}, is not on this node: bring it here first${isSamePath ? ', or name another with --home DIR' : ''}`
  return profile === null || isThere(profile)
    ? null
    : `The profile of ${id}, ${profile}, is not on this node: bring it here first`
}

/** Waits until nothing of the agent runs; what is ended at once is another's to end, or nobody's where its node is lost. */
async function isQuiet({ store, fleet, onSwept }: MoveParts, agentId: string, isNow: boolean): Promise<boolean> {
  const until = performance.now() + LIMITS.moveMs
  for (let isFirst = true; ; isFirst = false) {
    const open = await store.relay.openOf(agentId, '', LIMITS.removedAtOnce)
    const running = open.filter(({ turn }) => turn.state !== 'queued')
    if (running.length === 0) return true
    const { nodeId } = (await store.agents.find(agentId)) ?? { nodeId: '' }
    const isUp = (await fleet.nodes()).some(
      ({ id, state }) => id === nodeId && (state === 'up' || state === 'draining'),
    )
    // Whoever runs it finds its claim refused, and ends it.
    if (isNow && (isFirst || !isUp)) {
      const swept = await store.relay.sweepAgent(agentId, isoTime(Date.now()))
      if (swept.length > 0) onSwept()
    }
    if (performance.now() > until) return false
    await sleep(LOOK_MS)
  }
}
