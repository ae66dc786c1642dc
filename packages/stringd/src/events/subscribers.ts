import { type EventView, encodeSse, LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import { FIRST_EVENT_ID } from '../store/event-id.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { News, Store } from '../store/store.ts'

/** Where a subscriber's events go. */
export interface Outlet {
  /** False when the reader is behind; `drained` is called once it has caught up. */
  readonly write: (bytes: Buffer) => boolean
  readonly end: () => void
  /** Ends it at once, whatever was not read. */
  readonly cut: () => void
}

interface Subscriber {
  readonly agentId: string
  readonly outlet: Outlet
  /** The last event that was sent. */
  cursor: string
  /** It is being read for; what comes meanwhile is read as well. */
  isReading: boolean
  hasMore: boolean
  isGone: boolean
  /** Since when it does not keep up; then it gets its events from the store and nothing is kept for it. */
  behindSince: number | null
  missedBytes: number
}

/** Live streams of events. A reader gets each event once and in order, or is cut off; nobody waits for it. */
export class Subscribers {
  readonly #store: Store
  readonly #log: Log
  readonly #byAgent = new Map<string, Set<Subscriber>>()
  /** What is waiting to be read by those that are behind, the longest behind first. */
  readonly #unread = new Map<Subscriber, number>()
  #unreadBytes = 0
  readonly #timer: NodeJS.Timeout

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
    store.onNews((news) => this.#publish(news))
    this.#timer = setInterval(() => this.#ping(), LIMITS.eventPingMs).unref()
  }

  /** Where a new stream begins: after the event `after`, or with what is new. */
  async begin(agentId: string, after: string | null): Promise<string> {
    const last = await this.#store.agents.lastEventId(agentId)
    // An id that was never given, of another daemon perhaps: new events would come before it.
    return after !== null && after < last ? after : last
  }

  /** Sends what comes after `cursor`, stored or new. */
  add(agentId: string, outlet: Outlet, cursor: string): { drained: () => void; remove: () => void } {
    const state = { isReading: false, hasMore: false, isGone: false, behindSince: null, missedBytes: 0 }
    const subscriber: Subscriber = { agentId, outlet, cursor, ...state }
    const all = this.#byAgent.get(agentId) ?? new Set()
    this.#byAgent.set(agentId, all.add(subscriber))
    // With its id a reader that loses the stream before the first event knows where to go on.
    this.#write(subscriber, frame('ready', { agent_id: agentId }, cursor || FIRST_EVENT_ID))
    if (subscriber.behindSince === null) this.#catchUp(subscriber)
    return { drained: () => this.#drained(subscriber), remove: () => this.#remove(subscriber) }
  }

  /** Ends the streams of one agent, or all. */
  end(agentId?: string): void {
    for (const subscriber of this.#of(agentId)) {
      this.#remove(subscriber)
      subscriber.outlet.end()
    }
    if (agentId === undefined) clearInterval(this.#timer)
  }

  #of(agentId?: string): Subscriber[] {
    if (agentId !== undefined) return [...(this.#byAgent.get(agentId) ?? [])]
    return [...this.#byAgent.values()].flatMap((subscribers) => [...subscribers])
  }

  #remove(subscriber: Subscriber): void {
    subscriber.isGone = true
    this.#forget(subscriber)
    const all = this.#byAgent.get(subscriber.agentId)
    all?.delete(subscriber)
    if (all?.size === 0) this.#byAgent.delete(subscriber.agentId)
  }

  #publish({ agentId, after, events }: News): void {
    const subscribers = this.#byAgent.get(agentId)
    if (subscribers === undefined) return
    const frames = events.map((event) => ({ id: event.id, bytes: eventFrame(event) }))
    for (const subscriber of subscribers) {
      // Who has not got all before these gets them from the store, with the rest.
      const isNext = after !== null && after <= subscriber.cursor
      if (subscriber.isReading) subscriber.hasMore = true
      else if (!isNext && subscriber.behindSince === null) this.#catchUp(subscriber)
      else for (const { id, bytes } of frames) this.#offer(subscriber, id, bytes)
    }
  }

  #offer(subscriber: Subscriber, id: string, bytes: Buffer): void {
    if (id <= subscriber.cursor) return
    if (subscriber.behindSince === null) this.#send(subscriber, id, bytes)
    else this.#miss(subscriber, bytes.length)
  }

  #send(subscriber: Subscriber, id: string, bytes: Buffer): void {
    subscriber.cursor = id
    this.#write(subscriber, bytes)
  }

  #write(subscriber: Subscriber, bytes: Buffer): void {
    if (subscriber.outlet.write(bytes)) return
    subscriber.behindSince = performance.now()
    subscriber.missedBytes = 0
    this.#unread.set(subscriber, bytes.length)
    this.#unreadBytes += bytes.length
    for (const slowest of this.#unread.keys()) {
      if (this.#unreadBytes <= LIMITS.subscribersBytes || slowest === subscriber) break
      this.#cut(slowest)
    }
  }

  #forget(subscriber: Subscriber): void {
    this.#unreadBytes -= this.#unread.get(subscriber) ?? 0
    this.#unread.delete(subscriber)
  }

  #miss(subscriber: Subscriber, bytes: number): void {
    subscriber.missedBytes += bytes
    if (subscriber.missedBytes > LIMITS.subscriberMissedBytes) this.#cut(subscriber)
  }

  #drained(subscriber: Subscriber): void {
    if (subscriber.behindSince === null) return
    if (!subscriber.isReading) return this.#catchUp(subscriber)
    this.#forget(subscriber)
    subscriber.behindSince = null
  }

  #catchUp(subscriber: Subscriber): void {
    this.#forget(subscriber)
    subscriber.behindSince = null
    subscriber.missedBytes = 0
    subscriber.isReading = true
    void this.#read(subscriber)
  }

  /** Reads on in the store until there is nothing more, or the reader is full again. */
  async #read(subscriber: Subscriber): Promise<void> {
    const { agentId, outlet } = subscriber
    try {
      for (let isDone = false; !isDone; ) {
        subscriber.hasMore = false
        const events = await this.#store.events.after(agentId, subscriber.cursor, LIMITS.eventsAtOnce)
        isDone = !this.#sendAll(subscriber, events) || (events.length === 0 && !subscriber.hasMore)
      }
    } catch (error) {
      // Its reader comes again, with the last event it has, when the store is back.
      this.#log.warn('A stream of events was ended: the store cannot be read', { cause: String(error) })
      this.#remove(subscriber)
      outlet.end()
    } finally {
      subscriber.isReading = false
    }
  }

  /** False when the reader is full, or gone. */
  #sendAll(subscriber: Subscriber, events: readonly EventRow[]): boolean {
    for (const event of events) {
      if (subscriber.isGone || subscriber.behindSince !== null) return false
      this.#send(subscriber, event.id, eventFrame(event))
    }
    return !subscriber.isGone && subscriber.behindSince === null
  }

  #cut(subscriber: Subscriber): void {
    this.#remove(subscriber)
    subscriber.outlet.cut()
    this.#log.info('A subscriber that does not read was cut off', { agent: subscriber.agentId })
  }

  #ping(): void {
    const bytes = frame('ping', { t: new Date().toISOString() })
    const stalled = performance.now() - LIMITS.subscriberStallMs
    for (const subscriber of this.#of()) {
      if (subscriber.behindSince === null) this.#write(subscriber, bytes)
      else if (subscriber.behindSince < stalled) this.#cut(subscriber)
    }
  }
}

/** An event as clients see it. */
function viewEvent({ id, agentId, receivedAt, source, text, status }: EventRow): EventView {
  return { id, agentId, receivedAt, source, text, status }
}

function eventFrame(event: EventRow): Buffer {
  return Buffer.from(encodeSse('event', viewEvent(event), event.id))
}

function frame(name: string, data: object, id?: string): Buffer {
  return Buffer.from(encodeSse(name, data, id))
}
