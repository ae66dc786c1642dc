import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@string-os/bridge'
import { LIMITS, type TurnSummary, type TurnTryView, type TurnView } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import type { AgentSession } from '../store/groups/agent-sessions.ts'
import type { PlacedAgent } from '../store/groups/agents.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { TurnDetail, TurnQuery, TurnRow } from '../store/groups/turns.ts'
import { inBatches } from '../store/in-batches.ts'
import { isoTime } from '../store/iso-time.ts'
import { RisingIds } from '../store/rising-ids.ts'
import { StoreAway } from '../store/store.ts'
import { Afar } from './afar.ts'
import { Asking, type Wanted } from './asking.ts'
import { isCancel } from './cancelled.ts'
import type { Reached } from './caps.ts'
import { Elsewhere } from './elsewhere.ts'
import { EventsOver } from './events-over.ts'
import { type Follower, LiveTurn } from './live-turn.ts'
import { newTurn } from './new-turn.ts'
import { notTaken, type Taken } from './not-taken.ts'
import { Pauses } from './pauses.ts'
import { Refusals, refusedMessage } from './refusals.ts'
import { Runner } from './runner.ts'
import { withTry } from './tries.ts'
import { TurnLook } from './turn-look.ts'
import { NO_DETAIL } from './turn-view.ts'
import { TurnViews } from './turn-views.ts'
import { PAUSE_MS, type TurnsParts } from './turns-parts.ts'

/** The turns of all agents: asked for, run one after the other in a session, stored, and followed by whoever wants to. */
export class Turns {
  readonly #parts: TurnsParts
  readonly #ids: RisingIds
  readonly #runner: Runner
  readonly #asking: Asking
  readonly #afar: Afar
  readonly #elsewhere: Elsewhere
  readonly #look: TurnLook
  readonly #pauses: Pauses
  readonly #eventsOver: EventsOver
  readonly #views: TurnViews
  readonly #refusals: Refusals
  /** Agents whose history has grown. */
  readonly #grown = new Set<string>()
  #isStarted = false

  constructor(parts: TurnsParts) {
    this.#parts = parts
    this.#ids = new RisingIds(parts.clock.now, 'trn_')
    this.#runner = new Runner(parts, (agentId) => this.isPaused(agentId))
    this.#runner.onEnd(({ agentId }) => this.#grown.add(agentId))
    this.#asking = new Asking(parts, this.#runner, (agentId, session) => this.#newTurn(agentId, session))
    this.#afar = new Afar(parts.store)
    this.#elsewhere = new Elsewhere(parts, this.#afar, (agentId, session, above) => {
      this.#ids.above(above)
      return this.#newTurn(agentId, session)
    })
    this.#pauses = new Pauses(parts, this.#runner, this.#elsewhere)
    this.#eventsOver = new EventsOver(parts, this.#runner, this.#elsewhere)
    this.#views = new TurnViews(parts, this.#runner, this.#afar)
    this.#refusals = new Refusals(parts.log, parts.clock)
    this.#look = new TurnLook(parts, this.#runner, (id) => this.#ids.above(id))
    this.#runner.onDoubt = (agentId, isSoon = false) => (isSoon ? this.#look.soon(agentId) : this.#look.at(agentId))
    parts.store.onSign(({ kind }) => {
      if (kind === 'store') void this.#lookAtAll()
    })
  }

  /** Goes on with what an earlier daemon left; again and again, until the store can be asked. */
  async start(): Promise<void> {
    const { store, holder, log, fleet } = this.#parts
    this.#runner.start()
    for (let isFirst = true; !this.#runner.isStopping; isFirst = false) {
      try {
        await fleet.ready()
        await this.#pauses.load()
        await store.turns.recover(holder, isoTime(this.#now()))
        await this.#load()
        this.#isStarted = true
        return
      } catch (error) {
        if (isFirst) log.warn('Turns wait until the store can be read', { cause: String(error) })
        await sleep(PAUSE_MS)
      }
    }
  }

  isPaused(agentId: string): boolean {
    return this.#pauses.has(agentId)
  }

  /** Whether an event of the agent is being dealt with, or can be at once. */
  isDealing(agentId: string): boolean {
    const now = this.#now()
    return this.#runner.lanes.all(agentId).some(({ isAsked, notBefore }) => !isAsked && notBefore <= now)
  }

  counts(agentId: string): { running: number; waiting: number } {
    const running = this.#runner.lanes.running(agentId).length
    return { running, waiting: this.#runner.lanes.all(agentId).length - running }
  }

  /** Turns that wait or run. */
  live(): readonly LiveTurn[] {
    return this.#runner.lanes.all()
  }

  onEnd(listener: (turn: TurnRow) => void): void {
    this.#runner.onEnd(listener)
  }

  /** `watcher` hears of every turn that changes its state. */
  watch(watcher: (turn: TurnSummary) => void): () => void {
    return this.#runner.watch(watcher)
  }

  /** Takes a person's message. The same `request_id` is the same turn, also while it is being taken. */
  async ask(agent: Agent, asked: Wanted): Promise<Taken> {
    if (this.#runner.isStopping) return notTaken(503, 'CANCELLED', 'The daemon stops')
    if (!this.#isStarted) throw new StoreAway('the turns of an earlier daemon are being read')
    return this.#noted(agent.id, await this.#asking.ask(agent, asked))
  }

  /** The same for an agent that lives on another node. */
  async askElsewhere(agent: PlacedAgent, asked: Wanted): Promise<Taken> {
    if (this.#runner.isStopping) return notTaken(503, 'CANCELLED', 'The daemon stops')
    return this.#noted(agent.id, await this.#elsewhere.ask(agent, asked))
  }

  #noted(agentId: string, taken: Taken): Taken {
    const refused = taken.ok ? null : refusedMessage(agentId, taken)
    if (refused !== null) this.#refusals.note(refused)
    return taken
  }

  /** Makes what runs here agree with what is stored of an agent. */
  async lookAt(agentId: string): Promise<void> {
    if (!this.#isStarted) return
    this.#look.at(agentId)
    if (this.#parts.fleet.isHere(agentId)) await this.#pauses.look(agentId)
  }

  async #lookAtAll(): Promise<void> {
    if (!this.#isStarted) return
    try {
      await this.#look.all()
    } catch (error) {
      this.#parts.log.debug('Turns could not be looked at', { cause: String(error) })
      this.#parts.clock.wait(PAUSE_MS, () => void this.#lookAtAll())
    }
  }

  /** Turns that any node may run are taken, as far as there is room. */
  async lookForAnyone(): Promise<void> {
    if (this.#isStarted) await this.#look.forAnyone()
  }

  /** An agent lives elsewhere now. */
  gone(agentId: string): void {
    this.#look.gone(agentId)
    this.#pauses.forget(agentId)
  }

  /** While it drains, nothing begins here. */
  drain(isDraining: boolean): void {
    this.#runner.drain(isDraining)
  }

  /** Of all agents. */
  get work(): { running: number; waiting: number } {
    const running = this.#runner.lanes.running().length
    return { running, waiting: this.#runner.lanes.all().length - running }
  }

  /** The turn of an event: stored together with the place up to which events have become turns. False: it has one. */
  async addEvent(event: EventRow, mark: string | null): Promise<boolean> {
    const { store, fleet } = this.#parts
    const { agentId } = event
    const isHere = fleet.isHere(agentId)
    const live = new LiveTurn({
      ...this.#newTurn(agentId, EVENTS_SESSION),
      from: event.source,
      source: event.source,
      eventId: event.id,
      message: event.text,
      hops: event.hops,
    })
    const isNew = await store.transaction(async ({ agents, turns, marks }) => {
      if (!isHere) await agents.hold(agentId)
      if (mark !== null) await marks.put(mark, event.id)
      // A person may have asked for it before its time had come.
      if ((await turns.ofEvent(agentId, event.id)) !== null) return false
      await turns.add(live.turn)
      return true
    })
    if (isNew && isHere) this.#runner.enter(live)
    // It may wait, stored by a try of which nobody heard.
    else this.#look.at(agentId)
    return isNew
  }

  /** Events were dealt with, or with null removed, by somebody else than their turns. */
  async eventsOver(agentId: string, ids: readonly string[] | null): Promise<void> {
    try {
      await this.#eventsOver.look(agentId, ids)
    } catch (error) {
      // They are over all the same: a turn that runs for nothing does no harm.
      this.#parts.log.warn('A turn of an event that is over was not ended', { agent: agentId, cause: String(error) })
    }
  }

  /** Gives an event to its agent once more. */
  async retryEvent(event: EventRow): Promise<void> {
    const turn = await this.#parts.store.turns.ofEvent(event.agentId, event.id)
    if (turn === null) await this.addEvent(event, null)
    else await this.#runSoon(turn)
  }

  /** Begins it again where it is over, and ends the pause before its next try; what runs goes on. */
  async #runSoon(turn: TurnRow): Promise<void> {
    const live = this.#runner.lanes.byId(turn.id)
    // Else its pause would begin behind this.
    if (live?.isBehind(turn)) await live.runEnded
    if (live !== undefined) this.#runner.wakeAt(live, this.#now())
    else if (!isOpen(turn)) await this.#reopen(turn)
    else if (turn.state === 'queued') await this.#elsewhere.soon(turn)
  }

  /** A person's message becomes a new turn, once it is over; that of an event goes on. Null without such a turn. */
  async retry(id: string): Promise<Taken | null> {
    const { store, agent: find } = this.#parts
    const turn = await store.turns.byId(id)
    if (turn === null) return null
    if (isOpen(turn)) {
      await this.#runSoon(turn)
      return { ok: true, turnId: id }
    }
    const agent = find(turn.agentId)
    const placed = agent === undefined ? await store.agents.find(turn.agentId) : null
    if (agent === undefined && placed === null) return notTaken(404, 'NOT_FOUND', `Unknown agent: ${turn.agentId}`)
    if (turn.eventId === null) {
      const { message, session, from, attachments } = turn
      const asked = { message, session, from, attachments, requestId: null, retryOf: await this.#views.lastRetry(turn) }
      if (placed !== null) return this.askElsewhere(placed, asked)
      if (agent !== undefined) return this.ask(agent, asked)
    }
    await this.#runSoon(turn)
    return { ok: true, turnId: id }
  }

  get(id: string): Promise<TurnView | null> {
    return this.#views.get(id)
  }

  async summary(id: string): Promise<TurnSummary | null> {
    const turn = await this.#parts.store.turns.byId(id)
    return turn === null ? null : this.#views.summary(turn)
  }

  async list(query: TurnQuery): Promise<TurnSummary[]> {
    return this.#views.summaries(await this.#parts.store.turns.list(query))
  }

  /**
   * Tells what has happened in a turn and what happens from now on, until its result; without the first `from` characters
   * of its text. Null without such a turn; else how to stop listening.
   */
  follow(id: string, from: number, follower: Follower, done: () => void): Promise<(() => void) | null> {
    return this.#views.follow(id, from, follower, done)
  }

  /** The text of a turn that runs here, as far as it is kept, and the bytes of all of it. */
  textOf(id: string): ReturnType<TurnViews['textOf']> {
    return this.#views.textOf(id)
  }

  /** Ends a turn, and everything that it started; said again, without waiting for an agent that takes its time. Answers what it is then; null without such a turn. */
  async cancel(id: string): Promise<TurnView | null> {
    const live = this.#runner.lanes.byId(id)
    if (live !== undefined) await this.#end(live)
    const turn = live === undefined || live.isTaken ? await this.#parts.store.turns.byId(id) : null
    if (turn !== null && isOpen(turn)) await this.#elsewhere.cancel(turn, 'asked')
    return this.get(id)
  }

  async #end(live: LiveTurn): Promise<void> {
    const isSaidAgain = isCancel(live.endReason)
    await Promise.all([isSaidAgain ? this.#parts.kill(live.turn.id) : undefined, this.#runner.end(live, 'asked')])
  }

  /** No event wakes the agent any more, also after a restart; with `stop` what runs ends, and what waits goes. */
  pause(agentId: string, stop: boolean): Promise<number> {
    return this.#pauses.pause(agentId, stop)
  }

  resume(agentId: string): Promise<void> {
    return this.#pauses.resume(agentId)
  }

  /** Agents of all nodes that are paused. */
  pausedAnywhere(): Promise<ReadonlySet<string>> {
    return this.#pauses.anywhere()
  }

  /** The conversations of an agent, used last first. */
  sessions(agentId: string): Promise<AgentSession[]> {
    return this.#parts.store.sessions.list(agentId, LIMITS.listedTurnsMax)
  }

  /** The next message begins the session anew; what it was stays in the history. */
  async forgetSession(agentId: string, session: string): Promise<boolean> {
    const { store, clock } = this.#parts
    const known = await store.sessions.get(agentId, session)
    if (known === null) return false
    await store.sessions.put({ ...known, sessionId: null, hasSucceeded: false, usedAt: isoTime(clock.now()) })
    this.#parts.changed('agent', agentId, agentId)
    return true
  }

  /** Everything of an agent that is no more. */
  async drop(agentId: string): Promise<void> {
    const { turns, sessions, usage } = this.#parts.store
    await Promise.all(this.#runner.lanes.all(agentId).map((live) => this.#runner.end(live, 'agent_removed')))
    await inBatches((limit) => turns.remove(agentId, limit))
    await inBatches((limit) => sessions.remove(agentId, limit))
    await inBatches((limit) => usage.remove(agentId, limit))
    await this.#parts.approvals.drop(agentId)
    await this.#pauses.drop(agentId)
  }

  /** Whether the agent has used what it may. */
  reached(agentId: string, profile: Profile): Promise<Reached | null> {
    return this.#runner.caps.reached(agentId, profile)
  }

  async prune(): Promise<number> {
    const { store } = this.#parts
    const [ended, used] = [isoTime(this.#now() - LIMITS.turnKeepMs), isoTime(this.#now() - LIMITS.turnRequestMs)]
    const pruned = await inBatches((limit) => store.turns.prune(ended, used, limit))
    const agents = [...this.#grown]
    this.#grown.clear()
    for (const agentId of agents) await inBatches((limit) => store.turns.trim(agentId, LIMITS.turnsKept, limit))
    return pruned
  }

  /** Ends what runs; what waits is run by the next daemon. */
  async stop(): Promise<void> {
    await this.#runner.stop()
    this.#afar.stop()
  }

  #newTurn(agentId: string, session: string): TurnRow {
    return newTurn(this.#ids.next(), agentId, session, isoTime(this.#now()))
  }

  async #load(): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await this.#parts.store.turns.open(after, LIMITS.removedAtOnce)
      const { agent } = this.#parts
      const own = rows.filter(({ state, agentId }) => state === 'queued' && agent(agentId) !== undefined)
      for (const turn of own) this.#runner.enter(new LiveTurn(turn))
      after = rows.at(-1)?.id ?? ''
      if (rows.length < LIMITS.removedAtOnce) return
    }
  }

  async #reopen(turn: TurnRow): Promise<void> {
    const nextAt = isoTime(this.#now())
    // It has not begun: what was begun and waits was cut off.
    const fresh = { startedAt: null, endedAt: null, code: null, result: null }
    const again: TurnRow = { ...turn, ...fresh, state: 'queued', attempt: 1, nextAt }
    const live = new LiveTurn(again)
    const { store, fleet } = this.#parts
    const isHere = fleet.isHere(turn.agentId)
    const isOpened = await store.transaction(async ({ agents, turns }) => {
      // Its node is told to look.
      if (!isHere) await agents.hold(turn.agentId)
      const detail = (await turns.detail(turn.id)) ?? NO_DETAIL
      live.tries = triesOf(turn, detail)
      return turns.reopen(again, { ...detail, tries: live.tries })
    })
    if (isOpened && isHere) this.#runner.enter(live)
  }

  #now(): number {
    return this.#parts.clock.now()
  }
}

/** The session in which events are dealt with. */
const EVENTS_SESSION = 'events'

/** Its failed runs, with the last. */
function triesOf({ result, endedAt, attempt }: TurnRow, { tries = [], stderr }: TurnDetail): readonly TurnTryView[] {
  return result?.ok === false && endedAt !== null ? withTry(tries, { result, stderr, endedAt, attempt }) : tries
}

function isOpen({ state }: TurnRow): boolean {
  return state === 'queued' || state === 'running' || state === 'waiting'
}
