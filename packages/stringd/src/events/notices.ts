import { count, LIMITS } from '@string-os/protocol'

interface Told {
  readonly pending: number
  readonly at: number
}

/** Tells agents that nobody wakes of what waits for them: when they begin, and when there is more than they were told. */
export class Notices {
  readonly #pending: (agentId: string) => Promise<number>
  readonly #told = new Map<string, Told>()
  /** When it was asked last; gone with the next event that comes. */
  readonly #asked = new Map<string, number>()

  constructor(pending: (agentId: string) => Promise<number>) {
    this.#pending = pending
  }

  /** One line for the end of an answer, at most once in a while; null when there is nothing to say. */
  async line(agentId: string, isFirst: boolean): Promise<string | null> {
    const told = this.#told.get(agentId)
    const now = performance.now()
    if (told !== undefined && now - told.at < LIMITS.eventNoticeMs) return null
    // More there cannot be where none has come: the store would take longer than most commands.
    if (!isFirst && now - (this.#asked.get(agentId) ?? Number.NEGATIVE_INFINITY) < LIMITS.eventCountMs) return null
    this.#asked.set(agentId, now)
    const pending = await this.#pending(agentId)
    if (pending === 0 || (!isFirst && pending <= (told?.pending ?? 0))) {
      // Of those that were dealt with it may be told again when as many come back.
      if (told !== undefined && pending < told.pending) this.#told.set(agentId, { pending, at: told.at })
      return null
    }
    this.#told.set(agentId, { pending, at: now })
    return pending === LIMITS.countedEvents
      ? `(${pending} events or more wait: /events)`
      : `(${count(pending, 'event')} ${pending === 1 ? 'waits' : 'wait'}: /events)`
  }

  /** An event has come. */
  heard(agentId: string): void {
    this.#asked.delete(agentId)
  }

  /** The agent has just looked by itself. */
  async seen(agentId: string): Promise<void> {
    this.#told.set(agentId, { pending: await this.#pending(agentId), at: performance.now() })
  }

  forget(agentId: string): void {
    this.#told.delete(agentId)
    this.#asked.delete(agentId)
  }
}
