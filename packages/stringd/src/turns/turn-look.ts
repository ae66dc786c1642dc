import { LIMITS } from '@string-os/protocol'
import type { OpenTurn } from '../store/groups/relay.ts'
import { isoTime } from '../store/iso-time.ts'
import { storedReason } from './cancelled.ts'
import { LiveTurn } from './live-turn.ts'
import { OneAtATime } from './one-at-a-time.ts'
import type { Runner } from './runner.ts'
import { PAUSE_MS, type TurnsParts } from './turns-parts.ts'

/**
 * Makes what this node does agree with what is stored, whoever stored it: turns that were asked for elsewhere wait here, those
 * that shall end do, those that are over or another's are forgotten.
 */
export class TurnLook {
  readonly #parts: TurnsParts
  readonly #runner: Runner
  readonly #raise: (id: string) => void
  readonly #looking = new OneAtATime()
  /** Agents for which a look waits. */
  readonly #wanted = new Set<string>()
  #after = ''

  /** `raise` hears ids above which those of this node must be. */
  constructor(parts: TurnsParts, runner: Runner, raise: (id: string) => void) {
    this.#parts = parts
    this.#runner = runner
    this.#raise = raise
  }

  /** Looks at the turns of an agent that lives here, or has some here; however often it is asked for, once more. */
  at(agentId: string): void {
    const isOurs = this.#parts.fleet.isHere(agentId) || this.#runner.lanes.all(agentId).length > 0
    // In a file of its own nothing changes but by this daemon.
    if (this.#parts.store.kind === 'sqlite' || !isOurs || this.#wanted.has(agentId)) return
    this.#wanted.add(agentId)
    this.#looking
      .run(agentId, async () => {
        this.#wanted.delete(agentId)
        if (!this.#runner.isStopping) await this.#at(agentId)
      })
      .catch((error: unknown) => {
        this.#parts.log.debug('The turns of an agent could not be looked at', { agent: agentId, cause: String(error) })
        this.soon(agentId)
      })
  }

  /** The same in a moment, when what is under way is over. */
  soon(agentId: string): void {
    this.#parts.clock.wait(PAUSE_MS, () => this.at(agentId))
  }

  /** Looks at all agents that have something to do: the store was away, and of what was under way nobody knows. */
  async all(): Promise<void> {
    for (let after = ''; !this.#runner.isStopping; ) {
      const page = await this.#parts.store.turns.open(after, LIMITS.removedAtOnce)
      for (const agentId of new Set(page.map((turn) => turn.agentId))) this.at(agentId)
      after = page.at(-1)?.id ?? ''
      if (page.length < LIMITS.removedAtOnce) return
    }
  }

  /** Takes turns that any node may run, as far as there is room. */
  async forAnyone(): Promise<void> {
    const { store, fleet, clock } = this.#parts
    const room = fleet.maxTurns - this.#runner.lanes.running().length
    if (room <= 0 || this.#runner.isStopping || this.#runner.isDraining) return
    // Those whose turn it is to be looked at; the others next time.
    const agents = await store.agents.anywhere(this.#after, LIMITS.removedAtOnce)
    this.#after = agents.length < LIMITS.removedAtOnce ? '' : (agents.at(-1) ?? '')
    if (agents.length === 0) return
    for (const turn of await store.relay.forAnyone(agents, isoTime(clock.now()), room)) {
      if (this.#runner.lanes.byId(turn.id) !== undefined || (await fleet.guest(turn.agentId)) === null) continue
      this.#runner.enter(new LiveTurn(turn))
    }
  }

  /** The agent lives elsewhere now: what waits is the other node's. */
  gone(agentId: string): void {
    for (const live of this.#runner.lanes.all(agentId)) {
      if (this.#runner.lanes.ofTurn(live).running !== live) this.#runner.taken(live)
    }
  }

  async #at(agentId: string): Promise<void> {
    const before = this.#runner.lanes.all(agentId).filter(({ isStored }) => isStored)
    const open: OpenTurn[] = []
    for (let after = ''; ; ) {
      const page = await this.#parts.store.relay.openOf(agentId, after, LIMITS.removedAtOnce)
      open.push(...page)
      after = page.at(-1)?.turn.id ?? ''
      if (page.length < LIMITS.removedAtOnce) break
    }
    for (const each of open) await this.#one(each)
    const known = new Set(open.map(({ turn }) => turn.id))
    const { lanes } = this.#runner
    for (const live of before) {
      if (lanes.byId(live.turn.id) !== live || known.has(live.turn.id)) continue
      if (lanes.ofTurn(live).running === live) live.stop('lost')
      else this.#runner.taken(live)
    }
  }

  async #one({ turn, isCancelAsked, cancelReason, isFollowed, nodeId }: OpenTurn): Promise<void> {
    this.#raise(turn.id)
    const live = this.#runner.lanes.byId(turn.id)
    if (live === undefined && turn.state !== 'queued') {
      // Claimed here, but the answer was lost: nobody runs it. Where it has ended meanwhile, this changes nothing.
      if (nodeId === this.#parts.holder)
        await this.#parts.store.relay.giveUp(turn.id, turn.claim, isoTime(this.#parts.clock.now()))
      return
    }
    // It waits where its agent lives.
    if (live === undefined && !this.#parts.fleet.isHere(turn.agentId)) return
    // Its run was given up by others, under its claim.
    const isRunning = live !== undefined && this.#runner.lanes.ofTurn(live).running === live
    if (isRunning && turn.state === 'queued' && turn.claim > 0 && turn.claim === live.turn.claim) {
      if (live.turn.state === 'running') live.stop('lost')
      return
    }
    // Another node may run it too, and does: whoever follows it here goes on with what is stored.
    const isAnothers = turn.state !== 'queued' && nodeId !== this.#parts.holder
    if (live !== undefined && !isRunning && isAnothers) return this.#runner.taken(live)
    const own = live ?? new LiveTurn(turn)
    if (live === undefined) this.#runner.enter(own)
    // Somebody elsewhere wants it tried again at once.
    else if (!isRunning && Date.parse(turn.nextAt) < live.notBefore) this.#runner.wakeAt(live, Date.parse(turn.nextAt))
    if (isFollowed) this.#runner.passOn(own)
    if (isCancelAsked && live !== undefined) void this.#runner.end(live, storedReason(cancelReason))
  }
}
