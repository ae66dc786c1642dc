import { LIMITS } from '@string-os/protocol'
import { isEventId } from '../store/event-id.ts'
import type { EventCounts, EventRow } from '../store/groups/events.ts'
import { inBatches } from '../store/in-batches.ts'
import { isoTime } from '../store/iso-time.ts'
import type { Store } from '../store/store.ts'

export interface Arrival {
  readonly agentId: string
  readonly source: string
  readonly text: string
  readonly hops?: number
  /** A sender's own name for this event: within a day it is stored once. */
  readonly key?: string
}

/** The inboxes of all agents. What was appended is on the disk, and nothing pending is ever dropped but on request. */
export class Inbox {
  readonly #store: Store
  readonly #now: () => number
  #tellOver: (agentId: string, ids: readonly string[] | null) => Promise<void> = async () => undefined

  constructor(store: Store, now: () => number = Date.now) {
    this.#store = store
    this.#now = now
  }

  /** The id of the event, when it is on the disk: of the first one, where the key was used before. */
  append({ agentId, source, text, hops = 0, key }: Arrival): Promise<{ readonly id: string }> {
    const at = this.#now()
    const once = key === undefined ? null : { name: key, since: isoTime(at - LIMITS.eventKeyMs) }
    return this.#store.events.append({ agentId, receivedAt: isoTime(at), source, text, hops, key: once })
  }

  /** Newest first; without `all` those that nobody has dealt with. */
  newest(agentId: string, all: boolean, limit: number): Promise<EventRow[]> {
    return this.#store.events.newest(agentId, all, limit)
  }

  counts(agentId: string): Promise<EventCounts> {
    return this.#store.events.counts(agentId)
  }

  /** Tells whenever something came for an agent, also through another node. */
  onNews(listener: (agentId: string) => void): void {
    this.#store.onNews(({ agentId }) => listener(agentId))
  }

  /** Waits until something is pending, or has waited long enough. */
  async pending(agentId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    let done: () => void = () => undefined
    const woken = new Promise<void>((resolve) => {
      done = resolve
    })
    // Heard before the store is asked: what comes in between counts.
    const forget = this.#store.onNews((news) => news.agentId === agentId && done())
    signal.addEventListener('abort', done)
    const timer = setTimeout(done, waitMs)
    try {
      const { pending } = await this.counts(agentId)
      if (pending === 0 && !signal.aborted) await woken
    } finally {
      clearTimeout(timer)
      forget()
      signal.removeEventListener('abort', done)
    }
  }

  /** Null for what is no id, or no event of this agent. */
  async read(agentId: string, id: string): Promise<EventRow | null> {
    return isEventId(id) ? this.#store.events.byId(agentId, id) : null
  }

  /** `listener` hears of events that somebody dealt with, and with null that some were removed, before that is answered. */
  onOver(listener: (agentId: string, ids: readonly string[] | null) => Promise<void>): void {
    this.#tellOver = listener
  }

  /** Those of the ids that are events of this agent; all of them are acknowledged now. */
  async ack(agentId: string, ids: readonly string[]): Promise<string[]> {
    const acked = await this.#store.events.ack(agentId, ids.filter(isEventId), isoTime(this.#now()))
    await this.#tellOver(agentId, acked)
    return acked
  }

  async clear(agentId: string, all: boolean): Promise<number> {
    const cleared = await inBatches((limit) => this.#store.events.remove(agentId, all, limit))
    if (all) await this.#tellOver(agentId, null)
    return cleared
  }

  /** Everything of an agent that is no more; how many events that were. */
  async drop(agentId: string): Promise<number> {
    const { events } = this.#store
    await inBatches((limit) => events.removeKeys(agentId, limit))
    return this.clear(agentId, true)
  }

  /** Forgets what was acknowledged long ago. */
  async prune(): Promise<number> {
    const { events } = this.#store
    const now = this.#now()
    await inBatches((limit) => events.pruneKeys(isoTime(now - LIMITS.eventKeyMs), limit))
    return inBatches((limit) => events.prune(isoTime(now - LIMITS.ackedEventMs), limit))
  }
}
