import { type EventView, encodeSse, LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { EventRow } from '../store/database/events.ts'
import { FIRST_EVENT_ID } from './event-id.ts'
import type { Inbox } from './inbox.ts'

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
  /** Since when it does not keep up; then it gets its events from the inbox and nothing is kept for it. */
  behindSince: number | null
  missedBytes: number
}

/** Live streams of events. A reader gets each event once and in order, or is cut off; nobody waits for it. */
export class Subscribers {
  readonly #inbox: Inbox
  readonly #log: Log
  readonly #byAgent = new Map<string, Set<Subscriber>>()
  /** What is waiting to be read by those that are behind, the longest behind first. */
  readonly #unread = new Map<Subscriber, number>()
  #unreadBytes = 0
  readonly #timer: NodeJS.Timeout

  constructor(inbox: Inbox, log: Log) {
    this.#inbox = inbox
    this.#log = log
    inbox.onAppend((event) => this.#publish(event))
    this.#timer = setInterval(() => this.#ping(), LIMITS.eventPingMs).unref()
  }

  /** Sends what comes after the event `after`, stored or new; null: what is new. */
  add(agentId: string, outlet: Outlet, after: string | null): { drained: () => void; remove: () => void } {
    const { lastId } = this.#inbox
    // An id that was never given, of another daemon perhaps: new events would come before it.
    const cursor = after !== null && after < lastId ? after : lastId
    const subscriber: Subscriber = { agentId, outlet, cursor, behindSince: null, missedBytes: 0 }
    const all = this.#byAgent.get(agentId) ?? new Set()
    this.#byAgent.set(agentId, all.add(subscriber))
    // With its id a reader that loses the stream before the first event knows where to go on.
    this.#write(subscriber, frame('ready', { agent_id: agentId }, subscriber.cursor || FIRST_EVENT_ID))
    if (after !== null) this.#catchUp(subscriber)
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
    this.#forget(subscriber)
    const all = this.#byAgent.get(subscriber.agentId)
    all?.delete(subscriber)
    if (all?.size === 0) this.#byAgent.delete(subscriber.agentId)
  }

  #publish(event: EventRow): void {
    const subscribers = this.#byAgent.get(event.agentId)
    if (subscribers === undefined) return
    const bytes = eventFrame(event)
    for (const subscriber of subscribers) {
      // What it read from the inbox was stored before it was published.
      if (event.id <= subscriber.cursor) continue
      if (subscriber.behindSince === null) this.#send(subscriber, event.id, bytes)
      else this.#miss(subscriber, bytes.length)
    }
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
    if (subscriber.behindSince !== null) this.#catchUp(subscriber)
  }

  /** Reads on in the inbox until there is nothing more, or the reader is full again. */
  #catchUp(subscriber: Subscriber): void {
    this.#forget(subscriber)
    subscriber.behindSince = null
    subscriber.missedBytes = 0
    for (;;) {
      const events = this.#inbox.after(subscriber.agentId, subscriber.cursor, LIMITS.eventsAtOnce)
      for (const event of events) {
        this.#send(subscriber, event.id, eventFrame(event))
        if (subscriber.behindSince !== null) return
      }
      if (events.length === 0) return
    }
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
