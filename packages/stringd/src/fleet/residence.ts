import { DEFAULT_AGENT, type Failure, LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Agent, AgentRegistry, Registered, Registration } from '../store/agents.ts'
import type { AgentTraits, PlacedAgent } from '../store/groups/agents.ts'
import { type Store, StoreAway } from '../store/store.ts'
import { ownAgent, sharedAgent } from './shared-agent.ts'

export interface ResidenceParts {
  readonly store: Pick<Store, 'agents'>
  readonly registry: AgentRegistry
  readonly nodeId: string
  /** What its profile says that others must know. */
  readonly traits: (agent: Agent) => Promise<AgentTraits>
  /** An agent lives elsewhere now: what it has here ends. */
  readonly onGone: (agentId: string) => Promise<void>
  /** An agent lives here now. */
  readonly onCome: (agentId: string) => void
  readonly log: Log
}

/**
 * Which agents live here. `agents.json` has them, and where nodes share a store, that says of each where it lives: what the
 * two disagree about is decided by the store.
 */
export class Residence {
  readonly #parts: ResidenceParts
  /** As it was told last. */
  readonly #traits = new Map<string, string>()
  /** Agents of other nodes whose turns may run here. */
  readonly #guests = new Map<string, Agent>()

  constructor(parts: ResidenceParts) {
    this.#parts = parts
  }

  /** An agent that lives here, or whose turn may run here. */
  agent(id: string): Agent | undefined {
    return this.#parts.registry.get(id) ?? this.#guests.get(id)
  }

  isHere(id: string): boolean {
    return this.#parts.registry.get(id) !== undefined
  }

  /** Whether any node may run its turns. */
  isForAnyone(id: string): boolean {
    return this.#guests.has(id) || this.#traits.get(id)?.includes('"any"') === true
  }

  /** An agent of another node; null where there is none. */
  async elsewhere(id: string): Promise<PlacedAgent | null> {
    if (this.#parts.registry.get(id) !== undefined) return null
    const found = await this.#parts.store.agents.find(id)
    return found?.nodeId === this.#parts.nodeId ? null : found
  }

  /** The node of an agent shall look at it. */
  async sign(id: string): Promise<void> {
    await this.#parts.store.agents.hold(id)
  }

  byToken(token: string): Promise<PlacedAgent | null> {
    return this.#parts.store.agents.byToken(token)
  }

  /** Of all nodes, by id. */
  async all(): Promise<PlacedAgent[]> {
    const all: PlacedAgent[] = []
    for (let after = ''; ; ) {
      const page = await this.#parts.store.agents.list(null, after, LIMITS.removedAtOnce)
      all.push(...page)
      after = page.at(-1)?.id ?? ''
      if (page.length < LIMITS.removedAtOnce || all.length >= LIMITS.agents) return all
    }
  }

  /** Whether an agent may live here as it would be registered; else the one that lives elsewhere. The store is told so. */
  async takePlace(request: Registration): Promise<PlacedAgent | null> {
    const { registry } = this.#parts
    const before = registry.get(request.agentId)
    const next = registry.preview(request)
    if (before !== undefined && isSame(before, next)) return null
    return (await this.#place([next])) ?? null
  }

  /** Makes or updates an agent that has taken its place. */
  async register(request: Registration): Promise<Registered | Failure> {
    const { registry, store, nodeId } = this.#parts
    const isNew = registry.get(request.agentId) === undefined
    const giveBack = async (): Promise<void> => {
      if (isNew) await this.#told(() => store.agents.withdraw(request.agentId, nodeId), false)
    }
    try {
      const registered = await registry.register(request)
      if (!registered.ok) await giveBack()
      return registered
    } catch (error) {
      await giveBack()
      throw error
    }
  }

  /** Forgets an agent that lives here. */
  async remove(id: string): Promise<boolean> {
    const { registry, store, nodeId } = this.#parts
    if (registry.get(id) !== undefined) await store.agents.withdraw(id, nodeId)
    return registry.remove(id)
  }

  /** The webhook token of an agent of any node, made when there is none or when a new one is wanted; null without that agent. */
  async webhookToken(id: string, renew: boolean): Promise<string | null> {
    const { registry, store } = this.#parts
    if (registry.get(id) === undefined) return this.#tokenElsewhere(id, renew)
    const token = await registry.webhookToken(id, renew)
    // Others must not go on with one that is not good any more; of a first one they hear when they can.
    if (token !== null) await this.#told(() => store.agents.putToken(id, token), renew)
    return token
  }

  async #tokenElsewhere(id: string, renew: boolean): Promise<string | null> {
    const { registry, store } = this.#parts
    const found = await store.agents.find(id)
    if (found === null) return null
    if (found.webhookToken !== null && !renew) return found.webhookToken
    const token = registry.newToken()
    return (await store.agents.putToken(id, token)) ? token : null
  }

  /** What its profile says now. */
  async noted(agent: Agent): Promise<void> {
    if (this.#parts.registry.get(agent.id) === undefined) return
    const traits = await this.#parts.traits(agent)
    const text = JSON.stringify(traits)
    if ((this.#traits.get(agent.id) ?? USUAL) === text) return
    await this.#place([agent])
  }

  /** Agrees with the store about everything. */
  async agree(): Promise<void> {
    const { registry, store, nodeId } = this.#parts
    const own = registry.list()
    for (let at = 0; at < own.length; at += LIMITS.removedAtOnce) {
      const part = own.slice(at, at + LIMITS.removedAtOnce)
      for (const gone of await store.agents.place(part.map(sharedAgent), nodeId)) await this.#leave(gone)
    }
    for (let after = ''; ; ) {
      const page = await store.agents.list(nodeId, after, LIMITS.removedAtOnce)
      for (const placed of page) await this.#take(placed)
      after = page.at(-1)?.id ?? ''
      if (page.length < LIMITS.removedAtOnce) return
    }
  }

  /** The same about one agent. */
  async look(id: string): Promise<void> {
    const { registry, store, nodeId } = this.#parts
    const found = await store.agents.find(id)
    if (found?.nodeId === nodeId) await this.#take(found)
    else if (found !== null && registry.get(id) !== undefined) await this.#leave(found)
  }

  /** Agents that any node may run, and whose node is lost, live here from now on. */
  async adopt(): Promise<void> {
    const { store, nodeId } = this.#parts
    for (const placed of await store.agents.adopt(nodeId, LIMITS.removedAtOnce)) await this.#take(placed)
  }

  /** The agent of a turn that any node may run. */
  async guest(id: string): Promise<Agent | null> {
    const known = this.#parts.registry.get(id)
    if (known !== undefined) return known
    const found = await this.#parts.store.agents.find(id)
    if (found === null || found.placement !== 'any') return null
    const agent = ownAgent(found)
    this.#guests.set(id, agent)
    return agent
  }

  async #take(placed: PlacedAgent): Promise<void> {
    const { registry, onCome } = this.#parts
    const own = registry.get(placed.id)
    this.#traits.set(placed.id, JSON.stringify(traitsOf(placed)))
    if (own === undefined) {
      await registry.adopt(ownAgent(placed))
      onCome(placed.id)
    } else if (placed.webhookToken !== null && placed.webhookToken !== own.webhookToken)
      await registry.putToken(placed.id, placed.webhookToken)
  }

  async #leave({ id, node }: PlacedAgent): Promise<void> {
    const { registry, onGone, log } = this.#parts
    log.warn(`Agent ${id} lives on node ${node} now, and is taken out of agents.json here`, { agent: id, node })
    this.#guests.delete(id)
    await registry.remove(id)
    await onGone(id)
  }

  async #place(agents: readonly Agent[]): Promise<PlacedAgent | undefined> {
    const { store, nodeId, traits } = this.#parts
    const given = await Promise.all(agents.map(async (agent) => ({ ...sharedAgent(agent), ...(await traits(agent)) })))
    const elsewhere = await this.#told(() => store.agents.place(given, nodeId), false)
    if (elsewhere?.length === 0) for (const one of given) this.#traits.set(one.id, JSON.stringify(traitsOf(one)))
    return elsewhere?.find(({ id }) => id !== DEFAULT_AGENT)
  }

  /** What a store that is away was not told, it is told when it is back: then both agree. */
  async #told<T>(tell: () => Promise<T>, mustBe: boolean): Promise<T | undefined> {
    try {
      return await tell()
    } catch (error) {
      if (mustBe || !(error instanceof StoreAway)) throw error
      return undefined
    }
  }
}

function traitsOf({ placement, whenBusy }: AgentTraits): AgentTraits {
  return { placement, whenBusy }
}

const USUAL = JSON.stringify(traitsOf({ placement: 'home', whenBusy: 'queue' }))

function isSame(one: Agent, other: Agent): boolean {
  return JSON.stringify(sharedAgent(one)) === JSON.stringify(sharedAgent(other))
}
