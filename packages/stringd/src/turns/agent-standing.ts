import { type AgentState, LIMITS } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import { eachInTurn } from '../store/each-in-turn.ts'
import type { BusyAgent } from '../store/groups/relay.ts'
import type { LatestTurn } from '../store/groups/turns.ts'
import { type Store, StoreAway } from '../store/store.ts'
import type { AgentFacts } from './agent-facts.ts'
import type { LiveTurn } from './live-turn.ts'

/** An agent of this node, or of another. */
export interface ListedAgent {
  readonly agent: Agent
  /** Where it lives; null: here. */
  readonly node: string | null
}

/** Where an agent stands: what is needed to count, find and order thousands. */
export interface Standing extends ListedAgent {
  readonly state: AgentState
  readonly paused: boolean
  /** Turns that run, and that wait for their time. */
  readonly running: number
  readonly waiting: number
  /** The one that runs longest: as it is here, or its id where it runs elsewhere. */
  readonly turn: LiveTurn | string | null
  /** When that began; where none runs, when the last one ended. */
  readonly since: string | null
  readonly latest: LatestTurn | null
  readonly pending: number
}

export interface StandingParts {
  readonly store: Store
  readonly facts: AgentFacts
  readonly isPaused: (agentId: string) => boolean
  /** Those that are paused, wherever they live. */
  readonly pausedAnywhere: () => Promise<ReadonlySet<string>>
  /** Turns that wait or run. */
  readonly live: () => readonly LiveTurn[]
}

/** What other nodes do. */
interface Elsewhere {
  readonly busy: ReadonlyMap<string, BusyAgent>
  readonly paused: ReadonlySet<string>
}

const NOWHERE_ELSE: Elsewhere = { busy: new Map(), paused: new Set() }

/** Where each of many agents stands, in a few questions for all of them together. */
export async function standingsOf(listed: readonly ListedAgent[], parts: StandingParts): Promise<Standing[]> {
  const [facts, elsewhere] = await Promise.all([
    parts.facts.of(listed.map(({ agent }) => agent.id)),
    listed.some(({ node }) => node !== null) ? elsewhereOf(listed, parts) : NOWHERE_ELSE,
  ])
  const live = byAgent(parts.live())
  let index = -1
  return eachInTurn(listed, (one) => {
    index += 1
    const { latest = null, pending = 0 } = facts[index] ?? {}
    const { id } = one.agent
    // Some may run their turns on any node: what runs here is known best here.
    const turns = live.get(id)
    const work = turns === undefined ? workElsewhere(elsewhere.busy.get(id)) : workHere(turns)
    const paused = one.node === null ? parts.isPaused(id) : elsewhere.paused.has(id)
    const { isAsking, since, ...counts } = work
    const state = stateOf(counts.running, isAsking, latest)
    return { ...one, ...counts, state, paused, since: since ?? latest?.endedAt ?? null, latest, pending }
  })
}

type Work = Pick<Standing, 'running' | 'waiting' | 'turn' | 'since'> & { readonly isAsking: boolean }

function workHere(turns: readonly LiveTurn[]): Work {
  const running = turns.filter(({ turn }) => turn.state === 'running' || turn.state === 'waiting')
  const [longest] = running.toSorted((a, b) => (sinceOf(a) < sinceOf(b) ? -1 : 1))
  return {
    running: running.length,
    waiting: turns.length - running.length,
    isAsking: running.some(({ turn }) => turn.state === 'waiting'),
    turn: longest ?? null,
    since: longest === undefined ? null : sinceOf(longest),
  }
}

function workElsewhere(busy: BusyAgent | undefined): Work {
  if (busy === undefined) return workHere([])
  const { running, queued, isAsking, turnId, since } = busy
  return { running, waiting: queued, isAsking, turn: turnId, since }
}

async function elsewhereOf(
  listed: readonly ListedAgent[],
  { store, pausedAnywhere }: StandingParts,
): Promise<Elsewhere> {
  const ids = listed.map(({ agent }) => agent.id)
  try {
    const [busy, paused] = await Promise.all([store.relay.busy(ids, LIMITS.listedTurnsMax), pausedAnywhere()])
    return { busy: new Map(busy.map((one) => [one.agentId, one])), paused }
  } catch (error) {
    if (error instanceof StoreAway) return NOWHERE_ELSE
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

function stateOf(running: number, isAsking: boolean, last: LatestTurn | null): AgentState {
  if (isAsking) return 'waiting'
  if (running > 0) return 'running'
  // One that is to be tried again has failed as well.
  const isFailing = last !== null && (last.state === 'failed' || (last.state === 'queued' && last.attempt > 1))
  return isFailing ? 'failing' : 'idle'
}

export function sinceOf({ turn }: Pick<LiveTurn, 'turn'>): string {
  return turn.startedAt ?? turn.createdAt
}
