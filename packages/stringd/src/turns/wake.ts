import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { News, Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { profilePath } from './profile-of.ts'
import type { Profiles } from './profiles.ts'
import type { Turns } from './turns.ts'

export interface WakeParts {
  readonly store: Store
  readonly turns: Turns
  readonly profiles: Profiles
  readonly agent: (id: string) => Agent | undefined
  readonly agents: () => readonly Agent[]
  readonly log: Log
  readonly clock: Clock
}

/** An event whose place is the last that became a turn. */
export const WAKE_MARK = 'wake:'

/** Makes turns of events, one at a time for each agent whose profile wants that. */
export class Wake {
  readonly #parts: WakeParts
  /** Of each agent the event up to which all have become turns. */
  readonly #marks = new Map<string, string>()
  /** Of agents without such a mark the place before the first event that came. */
  readonly #before = new Map<string, string>()
  /** Agents whose mark no event has moved yet. */
  readonly #fresh = new Set<string>()
  /** Agents that are being looked at; true: once more. */
  readonly #looking = new Map<string, boolean>()
  /** Of agents for whom an event waits because of their profile, why: it has been said. */
  readonly #blocked = new Map<string, string>()
  /** How to prevent the next look. */
  readonly #waits = new Map<string, () => void>()
  #isStarted = false
  #isOver = false

  constructor(parts: WakeParts) {
    this.#parts = parts
    // From the first request on: an event that comes while the marks are read counts.
    parts.store.onNews((news) => this.#heard(news))
  }

  /** Goes on where an earlier daemon was. */
  async start(): Promise<void> {
    const { store, turns, agents } = this.#parts
    for (const [name, id] of await store.marks.list(WAKE_MARK, LIMITS.agents))
      this.#marks.set(name.slice(WAKE_MARK.length), id)
    this.#isStarted = true
    turns.onEnd(({ agentId, eventId }) => eventId !== null && this.look(agentId))
    for (const { id } of agents()) this.look(id)
  }

  stop(): void {
    this.#isOver = true
    for (const prevent of this.#waits.values()) prevent()
  }

  /** Looks whether there is something to do for an agent. */
  look(agentId: string): void {
    if (this.#isOver || !this.#isStarted) return
    if (this.#looking.has(agentId)) return void this.#looking.set(agentId, true)
    this.#looking.set(agentId, false)
    // Not before whoever brought the event has his answer.
    setImmediate(() => void this.#lookUntilDone(agentId))
  }

  /** The agent lives elsewhere now: there the mark is read. */
  forget(agentId: string): void {
    this.#blocked.delete(agentId)
    this.#before.delete(agentId)
    this.#marks.delete(agentId)
    this.#fresh.delete(agentId)
  }

  async drop(agentId: string): Promise<void> {
    this.#blocked.delete(agentId)
    this.#before.delete(agentId)
    this.#marks.delete(agentId)
    await this.#parts.store.marks.remove(WAKE_MARK + agentId)
  }

  #heard({ agentId, after }: News): void {
    if (after !== null) this.#come(agentId, after)
    this.look(agentId)
  }

  /** An event came behind `after`. */
  #come(agentId: string, after: string): void {
    const mark = this.#marks.get(agentId)
    if (mark === undefined) this.#before.set(agentId, this.#before.get(agentId) ?? after)
    // It was on its way to the disk when the mark was set.
    else if (this.#fresh.has(agentId) && after < mark) this.#marks.set(agentId, after)
  }

  async #lookUntilDone(agentId: string): Promise<void> {
    try {
      do {
        this.#looking.set(agentId, false)
        await this.#look(agentId)
      } while (this.#looking.get(agentId) === true && !this.#isOver)
    } catch (error) {
      this.#parts.log.warn('Events could not be given to their agent', { agent: agentId, cause: String(error) })
      this.#lookAgain(agentId, this.#parts.clock.now() + LIMITS.storeRetryMaxMs)
    } finally {
      this.#looking.delete(agentId)
    }
  }

  async #look(agentId: string): Promise<void> {
    const { turns, agent: find, profiles, clock } = this.#parts
    const agent = find(agentId)
    if (agent === undefined || turns.isPaused(agentId)) return
    if (profilePath(agent) === null) return this.#unset(agentId)
    const found = await profiles.of(agent)
    // A broken one is somebody's mistake of this moment: what waits, waits.
    if (!found.ok) {
      // It counts when that is mended, also where another daemon runs by then.
      if (this.#before.has(agentId)) await this.#mark(agentId)
      await this.#sayBlocked(agentId, found.error)
      return this.#lookAgain(agentId, clock.now() + LIMITS.storeRetryMaxMs)
    }
    this.#blocked.delete(agentId)
    if (found.profile.wake !== 'events') return this.#unset(agentId)
    if (!this.#marks.has(agentId)) await this.#mark(agentId)
    if (turns.isDealing(agentId)) return
    const event = await this.#next(agentId)
    if (event === null) return
    // It may have come after the profile was read: what holds for it is what the profile says now.
    const now = await profiles.of(agent)
    if (!now.ok || now.profile.wake !== 'events') return this.look(agentId)
    const cap = await turns.reached(agentId, now.profile)
    if (cap !== null) return this.#lookAgain(agentId, cap.opensAt)
    const isNew = await turns.addEvent(event, WAKE_MARK + agentId)
    this.#fresh.delete(agentId)
    this.#marks.set(agentId, event.id)
    // It had its turn, whose end nobody waits for here.
    if (!isNew) this.look(agentId)
  }

  /** Once for each reason: who looks for what failed in the night finds it when the profile is mended, too. */
  async #sayBlocked(agentId: string, reason: string): Promise<void> {
    if (this.#blocked.get(agentId) === reason) return
    if (!this.#marks.has(agentId) || (await this.#next(agentId)) === null) return
    this.#blocked.set(agentId, reason)
    this.#parts.log.warn('An event waits', { agent: agentId, code: 'NO_PROFILE', reason })
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

  /** From here on. */
  async #mark(agentId: string): Promise<void> {
    const { agents, marks } = this.#parts.store
    // Where it lived before, it may have been woken already.
    const stored = await marks.get(WAKE_MARK + agentId)
    if (stored !== null) return this.#continue(agentId, stored)
    const last = await agents.lastEventId(agentId)
    // An event that came meanwhile counts, and the place before it is where to begin.
    const id = this.#before.get(agentId) ?? last
    this.#marks.set(agentId, id)
    this.#fresh.add(agentId)
    this.#before.delete(agentId)
    await marks.put(WAKE_MARK + agentId, id)
  }

  #continue(agentId: string, mark: string): void {
    this.#before.delete(agentId)
    this.#marks.set(agentId, mark)
  }

  /** Events that come while nobody wants them stay events, also when somebody wants later ones. */
  async #unset(agentId: string): Promise<void> {
    this.#before.delete(agentId)
    if (this.#marks.has(agentId)) await this.drop(agentId)
  }

  #lookAgain(agentId: string, time: number): void {
    const { clock } = this.#parts
    this.#waits.get(agentId)?.()
    const wait = Math.min(Math.max(0, time - clock.now()), LONGEST_WAIT_MS)
    const look = (): void => {
      this.#waits.delete(agentId)
      this.look(agentId)
    }
    this.#waits.set(agentId, clock.wait(wait, look))
  }
}

/** Clocks are set. */
const LONGEST_WAIT_MS = 3_600_000
