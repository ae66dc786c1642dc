import { LIMITS } from '@string-os/protocol'
import type { TurnRow } from '../store/groups/turns.ts'
import { EVENT_OVER } from './after-run.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { Runner } from './runner.ts'
import type { TurnsParts } from './turns-parts.ts'

/** Turns of events that somebody else dealt with, or removed: what has not begun of them never does, what runs goes on. */
export class EventsOver {
  readonly #parts: TurnsParts
  readonly #runner: Runner
  readonly #elsewhere: Elsewhere

  constructor(parts: TurnsParts, runner: Runner, elsewhere: Elsewhere) {
    this.#parts = parts
    this.#runner = runner
    this.#elsewhere = elsewhere
  }

  /** Of these events; null: of those that are no more. */
  async look(agentId: string, ids: readonly string[] | null): Promise<void> {
    const { store, fleet } = this.#parts
    const isOver = ({ eventId }: TurnRow): Promise<boolean> | boolean =>
      eventId !== null && (ids === null ? this.#isRemoved(agentId, eventId) : ids.includes(eventId))
    for (const live of this.#runner.lanes.all(agentId)) if (await isOver(live.turn)) await this.#runner.spare(live)
    if (fleet.isHere(agentId) && !fleet.isForAnyone(agentId)) return
    for (const { turn } of await store.relay.openOf(agentId, '', LIMITS.removedAtOnce))
      if (await isOver(turn)) await this.#elsewhere.spare(turn, EVENT_OVER)
  }

  async #isRemoved(agentId: string, eventId: string): Promise<boolean> {
    return (await this.#parts.store.events.byId(agentId, eventId)) === null
  }
}
