import type { LiveTurn } from './live-turn.ts'

/** The turns of one session: one runs, the others wait in their order. */
export interface Lane {
  running: LiveTurn | null
  readonly waiting: LiveTurn[]
}

/** Every session that has something to do. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #byId = new Map<string, LiveTurn>()

  of(agentId: string, session: string): Lane {
    const key = `${agentId}\0${session}`
    const lane = this.#lanes.get(key) ?? { running: null, waiting: [] }
    this.#lanes.set(key, lane)
    return lane
  }

  ofTurn({ turn: { agentId, session } }: LiveTurn): Lane {
    return this.of(agentId, session)
  }

  byId(id: string): LiveTurn | undefined {
    return this.#byId.get(id)
  }

  wait(live: LiveTurn): void {
    this.#byId.set(live.turn.id, live)
    const { waiting } = this.ofTurn(live)
    if (waiting.includes(live)) return
    // What another node has stored is heard of later, and stands where it was stored.
    const behind = live.isAsked ? waiting.findIndex((other) => other.isAsked && other.turn.id > live.turn.id) : -1
    if (behind === -1) waiting.push(live)
    else waiting.splice(behind, 0, live)
  }

  /** It runs now. */
  begin(live: LiveTurn): void {
    const lane = this.ofTurn(live)
    lane.running = live
    this.#leave(lane, live)
  }

  /** It neither runs nor waits any more. */
  forget(live: LiveTurn): void {
    const lane = this.ofTurn(live)
    if (lane.running === live) lane.running = null
    this.#leave(lane, live)
    this.#byId.delete(live.turn.id)
    if (lane.running === null && lane.waiting.length === 0)
      this.#lanes.delete(`${live.turn.agentId}\0${live.turn.session}`)
  }

  /** Of one agent, or all. */
  all(agentId?: string): LiveTurn[] {
    const every = [...this.#byId.values()]
    return agentId === undefined ? every : every.filter(({ turn }) => turn.agentId === agentId)
  }

  running(agentId?: string): LiveTurn[] {
    return this.all(agentId).filter((live) => this.ofTurn(live).running === live)
  }

  #leave({ waiting }: Lane, live: LiveTurn): void {
    const at = waiting.indexOf(live)
    if (at !== -1) waiting.splice(at, 1)
  }
}
