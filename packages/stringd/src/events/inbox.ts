import { LIMITS } from '@string-os/protocol'
import type { Connection } from '../store/database/connection.ts'
import type { Database } from '../store/database/database.ts'
import {
  ackEvent,
  countEvents,
  deleteEvents,
  dropKeys,
  type EventCounts,
  type EventRow,
  eventById,
  eventOfKey,
  eventsAfter,
  insertEvent,
  insertKey,
  lastEventId,
  markLastEventId,
  newestEvents,
  pruneEvents,
} from '../store/database/events.ts'
import { isoTime } from '../store/iso-time.ts'
import { EventIds, isEventId } from './event-id.ts'

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
  readonly #database: Database
  readonly #ids: EventIds
  readonly #now: () => number
  readonly #listeners = new Set<(event: EventRow) => void>()

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database
    this.#now = now
    this.#ids = new EventIds(lastEventId(database), now)
  }

  /** The greatest id that was ever given; empty when none was. */
  get lastId(): string {
    return this.#ids.last
  }

  /** `listener` hears of every event that was stored, in their order, until the function that is answered is called. */
  onAppend(listener: (event: EventRow) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The id of the event, when it is on the disk: of the first one, where the key was used before. */
  async append({ agentId, source, text, hops = 0, key }: Arrival): Promise<string> {
    const { id, event } = await this.#database.write((connection) => {
      const at = this.#now()
      const first = key === undefined ? null : eventOfKey(connection, agentId, key, isoTime(at - LIMITS.eventKeyMs))
      if (first !== null) return { id: first, event: null }
      const id = this.#ids.next()
      const receivedAt = isoTime(at)
      const event: EventRow = { id, agentId, receivedAt, source, text, status: 'pending', ackedAt: null, hops }
      insertEvent(connection, event)
      if (key !== undefined) insertKey(connection, agentId, key, id, receivedAt)
      return { id, event }
    })
    if (event !== null) for (const listener of this.#listeners) listener(event)
    return id
  }

  /** Newest first; without `all` those that nobody has dealt with. */
  newest(agentId: string, all: boolean, limit: number): EventRow[] {
    return newestEvents(this.#database, agentId, all, limit)
  }

  counts(agentId: string): EventCounts {
    return countEvents(this.#database, agentId)
  }

  /** Waits until something is pending, or has waited long enough. */
  pending(agentId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.counts(agentId).pending > 0 || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        forget()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, waitMs)
      const forget = this.onAppend((event) => event.agentId === agentId && done())
      signal.addEventListener('abort', done)
    })
  }

  /** Null for what is no id, or no event of this agent. */
  read(agentId: string, id: string): EventRow | null {
    return isEventId(id) ? eventById(this.#database, agentId, id) : null
  }

  after(agentId: string, id: string, limit: number): EventRow[] {
    return eventsAfter(this.#database, agentId, id, limit)
  }

  /** Those of the ids that are events of this agent; all of them are acknowledged now. */
  ack(agentId: string, ids: readonly string[]): Promise<string[]> {
    const at = isoTime(this.#now())
    const known = ids.filter(isEventId)
    return this.#database.write((connection) => known.filter((id) => ackEvent(connection, agentId, id, at)))
  }

  clear(agentId: string, all: boolean): Promise<number> {
    return this.#remove((connection) => deleteEvents(connection, agentId, all))
  }

  /** Everything of an agent that is no more; how many events that were. */
  drop(agentId: string): Promise<number> {
    return this.#remove((connection) => {
      dropKeys(connection, agentId)
      return deleteEvents(connection, agentId, true)
    })
  }

  /** Forgets what was acknowledged long ago. */
  prune(): Promise<number> {
    const now = this.#now()
    const [acked, keys] = [isoTime(now - LIMITS.ackedEventMs), isoTime(now - LIMITS.eventKeyMs)]
    return this.#remove((connection) => pruneEvents(connection, acked, keys))
  }

  #remove(change: (connection: Connection) => number): Promise<number> {
    return this.#database.write((connection) => {
      if (this.#ids.last !== '') markLastEventId(connection, this.#ids.last)
      return change(connection)
    })
  }
}
