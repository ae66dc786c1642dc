import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { News, Store } from '../store/store.ts'
import { profileOf, profilePath } from './profile-of.ts'
import type { Turns } from './turns.ts'

export interface WakeParts {
  readonly store: Store
  readonly turns: Turns
  readonly agent: (id: string) => Agent | undefined
  readonly agents: () => readonly Agent[]
  readonly log: Log
  readonly now: () => number
}

/** An event whose place is the last that became a turn. */
const MARK = 'wake:'

/** Makes turns of events, one at a time for each agent whose profile wants that. */
export class Wake {
  readonly #parts: WakeParts
  /** Of each agent the event up to which all have become turns. */
  readonly #marks = new Map<string, string>()
  /** Agents that are being looked at; true: once more. */
  readonly #looking = new Map<string, boolean>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #isOver = false

  constructor(parts: WakeParts) {
    this.#parts = parts
  }

  /** Goes on where an earlier daemon was. */
  async start(): Promise<void> {
    const { store, turns, agents } = this.#parts
    for (const [name, id] of await store.marks.list(MARK, LIMITS.agents)) this.#marks.set(name.slice(MARK.length), id)
    store.onNews((news) => this.#heard(news))
    turns.onEnd(({ agentId, eventId }) => eventId !== null && this.look(agentId))
    for (const { id } of agents()) this.look(id)
  }

  stop(): void {
    this.#isOver = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  /** Looks whether there is something to do for an agent. */
  look(agentId: string, before: string | null = null): void {
    if (this.#isOver) return
    if (this.#looking.has(agentId)) return void this.#looking.set(agentId, true)
    this.#looking.set(agentId, false)
    // Not before whoever brought the event has his answer.
    setImmediate(() => void this.#lookUntilDone(agentId, before))
  }

  async drop(agentId: string): Promise<void> {
    this.#marks.delete(agentId)
    await this.#parts.store.marks.remove(MARK + agentId)
  }

  #heard({ agentId, after }: News): void {
    this.look(agentId, after)
  }

  async #lookUntilDone(agentId: string, before: string | null): Promise<void> {
    try {
      do {
        this.#looking.set(agentId, false)
        await this.#look(agentId, before)
      } while (this.#looking.get(agentId) === true && !this.#isOver)
    } catch (error) {
      this.#parts.log.warn('Events could not be given to their agent', { agent: agentId, cause: String(error) })
      this.#lookAgain(agentId, this.#parts.now() + LIMITS.storeRetryMaxMs)
    } finally {
      this.#looking.delete(agentId)
    }
  }

  async #look(agentId: string, before: string | null): Promise<void> {
    const { store, turns, agent: find } = this.#parts
    const agent = find(agentId)
    if (agent === undefined || turns.isPaused(agentId)) return
    if (profilePath(agent) === null) return this.#unset(agentId)
    const found = await profileOf(agent)
    // A broken one is somebody's mistake of this moment: what waits, waits.
    if (!found.ok) return
    if (found.profile.wake !== 'events') return this.#unset(agentId)
    if (!this.#marks.has(agentId)) await this.#mark(agentId, before ?? (await store.agents.lastEventId(agentId)))
    if (turns.isDealing(agentId)) return
    const event = await this.#next(agentId)
    if (event === null) return
    const cap = await turns.reached(agentId, found.profile)
    if (cap !== null) return this.#lookAgain(agentId, cap.opensAt)
    await turns.addEvent(agent, event, MARK + agentId)
    this.#marks.set(agentId, event.id)
  }

  /** The first event behind the mark that nobody has dealt with. */
  async #next(agentId: string): Promise<EventRow | null> {
    const { events } = this.#parts.store
    for (let after = this.#marks.get(agentId) ?? ''; ; ) {
      const page = await events.after(agentId, after, LIMITS.eventsAtOnce)
      const pending = page.find(({ status }) => status === 'pending')
      if (pending !== undefined || page.length === 0) return pending ?? null
      after = page.at(-1)?.id ?? after
      this.#marks.set(agentId, after)
    }
  }

  async #mark(agentId: string, id: string): Promise<void> {
    await this.#parts.store.marks.put(MARK + agentId, id)
    this.#marks.set(agentId, id)
  }

  /** Events that come while nobody wants them stay events, also when somebody wants later ones. */
  async #unset(agentId: string): Promise<void> {
    if (this.#marks.has(agentId)) await this.drop(agentId)
  }

  #lookAgain(agentId: string, time: number): void {
    clearTimeout(this.#timers.get(agentId))
    const wait = Math.min(Math.max(0, time - this.#parts.now()), LONGEST_WAIT_MS)
    this.#timers.set(
      agentId,
      setTimeout(() => {
        this.#timers.delete(agentId)
        this.look(agentId)
      }, wait).unref(),
    )
  }
}

/** Clocks are set, and timers overflow. */
const LONGEST_WAIT_MS = 3_600_000
