import { LIMITS } from '@string-os/protocol'
import type { Elsewhere } from './elsewhere.ts'
import type { Runner } from './runner.ts'
import type { TurnsParts } from './turns-parts.ts'

const PAUSED = 'paused:'

/** Which agents are paused: events wake none of them, also after a restart and when it was said on another node. */
export class Pauses {
  readonly #parts: TurnsParts
  readonly #runner: Runner
  readonly #elsewhere: Elsewhere
  readonly #paused = new Set<string>()

  constructor(parts: TurnsParts, runner: Runner, elsewhere: Elsewhere) {
    this.#parts = parts
    this.#runner = runner
    this.#elsewhere = elsewhere
  }

  async load(): Promise<void> {
    for (const id of await this.anywhere()) this.#paused.add(id)
  }

  has(agentId: string): boolean {
    return this.#paused.has(agentId)
  }

  /** The agent lives elsewhere now. */
  forget(agentId: string): void {
    this.#paused.delete(agentId)
  }

  async drop(agentId: string): Promise<void> {
    await this.#parts.store.marks.remove(PAUSED + agentId)
    this.#paused.delete(agentId)
  }

  /** As it is stored. */
  async look(agentId: string): Promise<void> {
    const isPaused = await this.#isStored(agentId).catch(() => this.has(agentId))
    if (isPaused === this.has(agentId)) return
    if (isPaused) this.#paused.add(agentId)
    else this.#resumed(agentId)
    this.#parts.changed('agent', agentId, agentId)
  }

  /** No event wakes the agent any more, also after a restart; with `stop` what runs ends, and what waits goes. */
  async pause(agentId: string, stop: boolean): Promise<number> {
    const { store, fleet, changed } = this.#parts
    await store.marks.put(PAUSED + agentId, '1')
    if (fleet.isHere(agentId)) this.#paused.add(agentId)
    else await store.agents.hold(agentId)
    changed('agent', agentId, agentId)
    if (!stop) return 0
    const all = this.#runner.lanes.all(agentId)
    await Promise.all(all.map((live) => this.#runner.end(live, 'agent_stopped')))
    // What other nodes run of it, or know of it.
    const others = await store.relay.openOf(agentId, '', LIMITS.removedAtOnce)
    await Promise.all(others.map(({ turn }) => this.#elsewhere.cancel(turn, 'agent_stopped')))
    return all.length + others.length
  }

  async resume(agentId: string): Promise<void> {
    const { store, fleet, changed } = this.#parts
    await store.marks.remove(PAUSED + agentId)
    if (fleet.isHere(agentId)) this.#resumed(agentId)
    else await store.agents.hold(agentId)
    changed('agent', agentId, agentId)
  }

  #resumed(agentId: string): void {
    this.#paused.delete(agentId)
    for (const live of this.#runner.lanes.all(agentId)) this.#runner.pump(this.#runner.lanes.ofTurn(live))
  }

  /** Of all nodes. */
  async anywhere(): Promise<ReadonlySet<string>> {
    const marks = await this.#parts.store.marks.list(PAUSED, LIMITS.agents)
    return new Set([...marks.keys()].map((name) => name.slice(PAUSED.length)))
  }

  /** Wherever the agent lives. */
  async #isStored(agentId: string): Promise<boolean> {
    return (await this.#parts.store.marks.get(PAUSED + agentId)) !== null
  }
}
