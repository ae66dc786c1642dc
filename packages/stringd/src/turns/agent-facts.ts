import { LIMITS } from '@string-os/protocol'
import type { LatestTurn } from '../store/groups/turns.ts'
import { type Store, StoreAway } from '../store/store.ts'

/** What the store knows of an agent. */
export interface AgentFact {
  readonly latest: LatestTurn | null
  /** Events that wait, counted up to `listedPending`. */
  readonly pending: number
}

const NOTHING_KNOWN: AgentFact = { latest: null, pending: 0 }

/**
 * What the store knows of many agents. A daemon that has its store for itself hears of every change, so that it asks again only
 * for agents of which something changed: a look at thousands costs as much as one at those that work. What is removed because
 * it is old nobody is told of: all is forgotten once a minute.
 */
export class AgentFacts {
  readonly #store: Store
  readonly #now: () => number
  readonly #known = new Map<string, AgentFact>()
  /** When something of an agent changed last, by the number of the change. */
  readonly #changedAt = new Map<string, number>()
  #changes = 0
  #reading = 0
  #since = 0

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  changed(agentId: string): void {
    this.#changes += 1
    this.#known.delete(agentId)
    // Only for who reads meanwhile: what is read later is as it is now.
    if (this.#reading > 0) this.#changedAt.set(agentId, this.#changes)
  }

  /** In the order of the ids. While the store is away nothing is known. */
  async of(ids: readonly string[]): Promise<AgentFact[]> {
    this.#forgetOld()
    const unknown = ids.filter((id) => !this.#known.has(id))
    const found = unknown.length === 0 ? new Map<string, AgentFact>() : await this.#read(unknown)
    return ids.map((id) => found.get(id) ?? this.#known.get(id) ?? NOTHING_KNOWN)
  }

  async #read(ids: readonly string[]): Promise<Map<string, AgentFact>> {
    const began = this.#changes
    this.#reading += 1
    try {
      const found = await this.#ask(ids)
      // Others share the store, whose changes are heard only while somebody watches.
      if (this.#store.kind === 'sqlite')
        for (const [id, fact] of found) if ((this.#changedAt.get(id) ?? 0) <= began) this.#known.set(id, fact)
      return found
    } catch (error) {
      if (error instanceof StoreAway) return new Map()
      throw error
    } finally {
      this.#reading -= 1
      if (this.#reading === 0) this.#changedAt.clear()
    }
  }

  async #ask(ids: readonly string[]): Promise<Map<string, AgentFact>> {
    const { events, turns } = this.#store
    const [pending, latest] = await Promise.all([events.countPending(ids, LIMITS.listedPending), turns.latest(ids)])
    const last = new Map(latest.map((turn) => [turn.agentId, turn]))
    return new Map(ids.map((id, index) => [id, { latest: last.get(id) ?? null, pending: pending[index] ?? 0 }]))
  }

  #forgetOld(): void {
    const now = this.#now()
    if (now - this.#since < LIMITS.agentFactsMs) return
    this.#since = now
    this.#known.clear()
  }
}
