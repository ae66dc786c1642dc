import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@string-os/bridge'
import {
  type Caps,
  DEFAULT_SESSION,
  LIMITS,
  type TurnAsked,
  type TurnResultView,
  type TurnSummary,
  type TurnView,
} from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Agent } from '../store/agents.ts'
import { EventIds } from '../store/event-id.ts'
import type { AgentSession } from '../store/groups/agent-sessions.ts'
import type { EventRow } from '../store/groups/events.ts'
import type { TurnQuery, TurnRow } from '../store/groups/turns.ts'
import { inBatches } from '../store/in-batches.ts'
import { isoTime } from '../store/iso-time.ts'
import { type Groups, type Store, StoreAway } from '../store/store.ts'
import { afterRun, endedResult } from './after-run.ts'
import { type Reached, reachedCap } from './caps.ts'
import type { Clock } from './clock.ts'
import { type Lane, Lanes } from './lanes.ts'
import { type Follower, LiveTurn } from './live-turn.ts'
import { newTurn } from './new-turn.ts'
import { capSentence, notTaken, otherMessage, overCap, sessionBusy, sessionFull, type Taken } from './not-taken.ts'
import { OneAtATime } from './one-at-a-time.ts'
import type { ProfileFound } from './profile-of.ts'
import type { Profiles } from './profiles.ts'
import { replay } from './replay.ts'
import { type AgentEnd, type AgentRun, firstRequest } from './run-agent.ts'
import { storeEnd } from './store-end.ts'
import { NO_DETAIL, summaryOf, viewTurn } from './turn-view.ts'

/** What only this turn knows; the daemon knows where and with what it runs. */
export type TurnWork = Pick<
  AgentRun,
  'agent' | 'profile' | 'request' | 'isNew' | 'hops' | 'signal' | 'onPartial' | 'onStep' | 'onStderr'
> & { readonly turnId: string }

export interface TurnsParts {
  readonly store: Store
  /** Who runs turns: the name of this daemon, the same after a restart. */
  readonly holder: string
  readonly agent: (id: string) => Agent | undefined
  readonly profiles: Profiles
  readonly run: (work: TurnWork) => Promise<AgentEnd>
  /** What holds for every agent whose profile says nothing else. */
  readonly caps: () => Caps
  /** A turn or an agent is another than it was, without anything having been stored of it. */
  readonly changed: (kind: 'turn' | 'agent', id: string, agentId: string) => void
  /** A run of a turn said something, behind `offset` bytes. */
  readonly said: (said: { turnId: string; run: number; offset: number; text: string }) => void
  readonly log: Log
  readonly clock: Clock
}

const PAUSE_MS = 1_000

/** The turns of all agents: asked for, run one after the other in a session, stored, and followed by whoever wants to. */
export class Turns {
  readonly #parts: TurnsParts
  readonly #ids: EventIds
  readonly #lanes = new Lanes()
  /** By agent and request, so that nobody overtakes whoever is about to be stored. */
  readonly #asking = new OneAtATime()
  /** By agent: between the look at what it has used and the claim nobody else uses it. */
  readonly #claiming = new OneAtATime()
  readonly #watchers = new Set<(turn: TurnSummary) => void>()
  readonly #endListeners = new Set<(turn: TurnRow) => void>()
  readonly #paused = new Set<string>()
  /** Agents whose history has grown. */
  readonly #grown = new Set<string>()
  /** How to prevent what is waited for. */
  readonly #waits = new Set<() => void>()
  #renewing: NodeJS.Timeout | null = null
  #isStarted = false
  #stopping = false

  constructor(parts: TurnsParts) {
    this.#parts = parts
    this.#ids = new EventIds(null, parts.clock.now, 'trn_')
  }

  /** Goes on with what an earlier daemon left; again and again, until the store can be asked. */
  async start(): Promise<void> {
    const { store, holder, log } = this.#parts
    this.#renewing = setInterval(() => void this.#renew(), LIMITS.leaseRenewMs).unref()
    for (let isFirst = true; !this.#stopping; isFirst = false) {
      try {
        for (const name of (await store.marks.list(PAUSED, LIMITS.agents)).keys())
          this.#paused.add(name.slice(PAUSED.length))
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
    return this.#paused.has(agentId)
  }

  /** Whether an event of the agent is being dealt with, or can be at once. */
  isDealing(agentId: string): boolean {
    const now = this.#now()
    return this.#lanes.all(agentId).some(({ isAsked, notBefore }) => !isAsked && notBefore <= now)
  }

  counts(agentId: string): { running: number; waiting: number } {
    const running = this.#lanes.running(agentId).length
    return { running, waiting: this.#lanes.all(agentId).length - running }
  }

  onEnd(listener: (turn: TurnRow) => void): void {
    this.#endListeners.add(listener)
  }

  /** `watcher` hears of every turn that changes its state. */
  watch(watcher: (turn: TurnSummary) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Takes a person's message. The same `request_id` is the same turn, also while it is being taken. */
  ask(agent: Agent, asked: TurnAsked): Promise<Taken> {
    const { requestId } = asked
    if (requestId === null) return this.#ask(agent, asked)
    return this.#asking.run(`${agent.id}\0${requestId}`, async () => {
      const known = await this.#known(agent.id, asked, requestId)
      return known ?? this.#ask(agent, asked)
    })
  }

  /** The turn of an event: stored together with the place up to which events have become turns. False: it has one. */
  async addEvent(agent: Agent, event: EventRow, mark: string | null): Promise<boolean> {
    const live = new LiveTurn({
      ...this.#newTurn(agent.id, EVENTS_SESSION),
      from: event.source,
      source: event.source,
      eventId: event.id,
      message: event.text,
      hops: event.hops,
    })
    const isNew = await this.#parts.store.transaction(async ({ turns, marks }) => {
      if (mark !== null) await marks.put(mark, event.id)
      // A person may have asked for it before its time had come.
      if ((await turns.ofEvent(agent.id, event.id)) !== null) return false
      await turns.add(live.turn)
      return true
    })
    if (isNew) this.#enter(live)
    return isNew
  }

  /** Gives an event to its agent once more. */
  async retryEvent(agent: Agent, event: EventRow): Promise<void> {
    const { store } = this.#parts
    const turn = await store.turns.ofEvent(agent.id, event.id)
    if (turn === null) return void (await this.addEvent(agent, event, null))
    const live = this.#lanes.byId(turn.id)
    if (live !== undefined) this.#wakeAt(live, this.#now())
    else if (!isOpen(turn)) await this.#reopen(turn)
  }

  /** A person's message becomes a new turn; that of an event goes on. Null without such a turn. */
  async retry(id: string): Promise<Taken | null> {
    const { store, agent: find } = this.#parts
    const turn = await store.turns.byId(id)
    if (turn === null) return null
    if (isOpen(turn)) return { ok: true, turnId: id }
    const agent = find(turn.agentId)
    if (agent === undefined) return notTaken(404, 'NOT_FOUND', `Unknown agent: ${turn.agentId}`)
    if (turn.eventId === null) {
      const { message, session, from, attachments } = turn
      return this.ask(agent, { message, session, from, attachments, requestId: null })
    }
    await this.#reopen(turn)
    return { ok: true, turnId: id }
  }

  async get(id: string): Promise<TurnView | null> {
    const { turns } = this.#parts.store
    const live = this.#lanes.byId(id)
    if (live !== undefined && live.turn.state !== 'queued') return viewTurn(live.turn, live.detail)
    const turn = live?.turn ?? (await turns.byId(id))
    // One that waits for its next run has the text of the last.
    return turn === null ? null : viewTurn(turn, (await turns.detail(id)) ?? NO_DETAIL)
  }

  async list(query: TurnQuery): Promise<TurnSummary[]> {
    return (await this.#parts.store.turns.list(query)).map(summaryOf)
  }

  /**
   * Tells what has happened in a turn and what happens from now on, until its result; without the first `from` characters
   * of its text. Null without such a turn; else how to stop listening.
   */
  async follow(id: string, from: number, follower: Follower, done: () => void): Promise<(() => void) | null> {
    const live = this.#lanes.byId(id)
    const view = live === undefined ? await this.get(id) : viewTurn(live.turn, live.detail)
    if (view === null) return null
    if (live === undefined) {
      replay(view, 0, from, follower)
      done()
      return () => undefined
    }
    replay(view, this.#position(live), from, follower)
    const forget = live.follow(follower)
    void live.ended.then(done)
    return forget
  }

  /** The text of a turn that runs, as far as it is kept, and the bytes of all of it. */
  textOf(id: string): { run: number; text: string; bytes: number } | null {
    const live = this.#lanes.byId(id)
    if (live === undefined || live.turn.state === 'queued') return null
    return { run: live.turn.claim, text: live.detail.partial, bytes: live.textBytes }
  }

  /** Ends a turn, and everything that it started. Answers what it is then; null without such a turn. */
  async cancel(id: string): Promise<TurnView | null> {
    const live = this.#lanes.byId(id)
    if (live !== undefined) await this.#end(live)
    return this.get(id)
  }

  /** No event wakes the agent any more, also after a restart; with `stop` what runs ends, and what waits goes. */
  async pause(agentId: string, stop: boolean): Promise<number> {
    await this.#parts.store.marks.put(PAUSED + agentId, '1')
    this.#paused.add(agentId)
    this.#parts.changed('agent', agentId, agentId)
    if (!stop) return 0
    const all = this.#lanes.all(agentId)
    await Promise.all(all.map((live) => this.#end(live)))
    return all.length
  }

  async resume(agentId: string): Promise<void> {
    await this.#parts.store.marks.remove(PAUSED + agentId)
    this.#paused.delete(agentId)
    this.#parts.changed('agent', agentId, agentId)
    for (const live of this.#lanes.all(agentId)) this.#pump(this.#lanes.ofTurn(live))
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
    const { turns, sessions, usage, marks } = this.#parts.store
    await Promise.all(this.#lanes.all(agentId).map((live) => this.#end(live)))
    await inBatches((limit) => turns.remove(agentId, limit))
    await inBatches((limit) => sessions.remove(agentId, limit))
    await inBatches((limit) => usage.remove(agentId, limit))
    await marks.remove(PAUSED + agentId)
    this.#paused.delete(agentId)
  }

  /** Whether the agent has used what it may. */
  async reached(agentId: string, profile: Profile): Promise<Reached | null> {
    return reachedCap(this.#parts.store, agentId, this.#caps(profile), this.#now())
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
    this.#stopping = true
    if (this.#renewing !== null) clearInterval(this.#renewing)
    for (const prevent of this.#waits) prevent()
    const running = this.#lanes.running()
    for (const live of running) live.stop('stop')
    await Promise.all(running.map(({ ended }) => ended))
    for (const live of this.#lanes.all()) live.over()
  }

  async #ask(agent: Agent, asked: TurnAsked): Promise<Taken> {
    if (this.#stopping) return notTaken(503, 'CANCELLED', 'The daemon stops')
    if (!this.#isStarted) throw new StoreAway('the turns of an earlier daemon are being read')
    const found = await this.#parts.profiles.of(agent)
    if (!found.ok) return notTaken(409, 'NO_PROFILE', found.error)
    const refused = await whyRefused(found.profile, asked)
    if (refused !== null) return notTaken(400, 'INVALID_TARGET', refused)
    const cap = await this.reached(agent.id, found.profile)
    if (cap !== null) return overCap(cap, this.#now())
    return this.#admit(agent, asked, found.profile)
  }

  /** What an earlier request under this id has become; null when there was none. */
  async #known(agentId: string, asked: TurnAsked, requestId: string): Promise<Taken | null> {
    const since = isoTime(this.#now() - LIMITS.turnRequestMs)
    const same = await this.#parts.store.turns.request(agentId, requestId, since)
    if (same === null) return null
    return same.digest === digestOf(asked) ? { ok: true, turnId: same.turnId } : otherMessage(requestId)
  }

  /** From here to the place in the lane nothing waits, so that the order is that of the requests. */
  #admit(agent: Agent, asked: TurnAsked, profile: Profile): Promise<Taken> {
    const { whenBusy } = profile
    const session = asked.session || DEFAULT_SESSION
    const lane = this.#lanes.of(agent.id, session)
    const waiting = lane.waiting.filter(({ isAsked }) => isAsked)
    const isBusy = lane.running !== null || waiting.length > 0
    if (isBusy && whenBusy === 'refuse') return Promise.resolve(sessionBusy(session))
    const amount = waiting.reduce((sum, { messages }) => sum + messages, 0)
    // Where none runs yet, the first of them is about to.
    const most = LIMITS.turnsWaiting + (lane.running === null ? 1 : 0)
    if (amount >= most) return Promise.resolve(sessionFull(session))
    const [last] = waiting.slice(-1)
    if (isBusy && whenBusy === 'collect' && last !== undefined) return this.#join(agent, asked, profile, last)
    if (whenBusy === 'interrupt' && lane.running?.isAsked === true) lane.running.stop('cancel')
    return this.#queue(agent, { ...asked, session }, profile)
  }

  /** Where nothing is before it, it is stored and claimed in one change, and begins. */
  async #queue(agent: Agent, asked: TurnAsked, profile: Profile): Promise<Taken> {
    const { message, session, from, attachments, requestId } = asked
    const live = new LiveTurn({ ...this.#newTurn(agent.id, session), message, from, attachments, requestId })
    const lane = this.#lanes.ofTurn(live)
    const isCounted = this.#caps(profile).turns_per_hour !== undefined
    const isNext = lane.running === null && lane.waiting.length === 0 && !isCounted
    this.#lanes.wait(live)
    if (isNext) this.#lanes.begin(live)
    const { store, holder } = this.#parts
    try {
      const claimed = await store.transaction(async ({ turns }) => {
        await turns.add(live.turn)
        await this.#keepRequest(turns, live.turn, asked)
        return isNext ? turns.claim(live.turn.id, holder, isoTime(this.#now())) : null
      })
      if (claimed === null) this.#enter(live)
      else this.#go(live, this.#enterRunning(live, agent, profile, claimed))
    } catch (error) {
      this.#leave(live)
      throw error
    }
    return { ok: true, turnId: live.turn.id }
  }

  #enterRunning(live: LiveTurn, agent: Agent, profile: Profile, claimed: TurnRow): Promise<void> {
    live.isStored = true
    this.#changed(live.turn)
    return this.#runClaimed(live, agent, { ok: true, profile }, claimed)
  }

  /** What waits becomes one turn, and everybody gets its stream. */
  async #join(agent: Agent, asked: TurnAsked, profile: Profile, live: LiveTurn): Promise<Taken> {
    live.messages += 1
    const { id, session } = live.turn
    const joined = await this.#parts.store.transaction(async ({ turns }) => {
      // As it is stored: others may have joined, and this may run twice.
      const stored = await turns.byId(id)
      if (stored === null) return null
      const texts = [stored.message, asked.message].filter((text) => text !== '')
      const attachments = [...stored.attachments, ...asked.attachments]
      const longer = { ...stored, message: texts.join('\n\n'), attachments }
      if (!(await turns.change(longer))) return null
      await this.#keepRequest(turns, longer, asked)
      return longer
    })
    if (joined === null) return this.#queue(agent, { ...asked, session }, profile)
    if (live.turn.state === 'queued') live.turn = joined
    return { ok: true, turnId: id }
  }

  async #keepRequest(turns: Groups['turns'], turn: TurnRow, asked: TurnAsked): Promise<void> {
    const { requestId } = asked
    if (requestId === null) return
    const { agentId, id } = turn
    const usedAt = isoTime(this.#now())
    await turns.putRequest({ agentId, requestId, turnId: id, digest: digestOf(asked), usedAt })
  }

  #newTurn(agentId: string, session: string): TurnRow {
    return newTurn(this.#ids.next(), agentId, session, isoTime(this.#now()))
  }

  async #load(): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await this.#parts.store.turns.open(after, LIMITS.removedAtOnce)
      for (const turn of rows.filter(({ state }) => state === 'queued')) this.#enter(new LiveTurn(turn))
      after = rows.at(-1)?.id ?? ''
      if (rows.length < LIMITS.removedAtOnce) return
    }
  }

  async #reopen(turn: TurnRow): Promise<void> {
    const nextAt = isoTime(this.#now())
    const again: TurnRow = { ...turn, state: 'queued', attempt: 1, nextAt, endedAt: null, code: null, result: null }
    if (await this.#parts.store.turns.reopen(again)) this.#enter(new LiveTurn(again))
  }

  /** A stored turn takes its place. */
  #enter(live: LiveTurn): void {
    live.isStored = true
    this.#lanes.wait(live)
    this.#changed(live.turn)
    this.#wakeAt(live, Date.parse(live.turn.nextAt))
  }

  #wakeAt(live: LiveTurn, time: number): void {
    live.notBefore = time
    const lane = this.#lanes.ofTurn(live)
    const wait = time - this.#now()
    if (wait <= 0) return this.#pump(lane)
    const prevent = this.#parts.clock.wait(wait, () => {
      this.#waits.delete(prevent)
      this.#pump(lane)
    })
    this.#waits.add(prevent)
  }

  /** Begins the next one of a session, where none runs. */
  #pump(lane: Lane): void {
    if (lane.running !== null || this.#stopping) return
    const first = lane.waiting.find(({ isAsked }) => isAsked)
    // No message of a person overtakes another; an event may overtake one that is tried again later.
    const live = lane.waiting.find((each) => this.#mayRun(each) && (each === first || !each.isAsked))
    // One before it is on its way to the disk: that one comes first.
    if (live === undefined || !live.isStored) return
    this.#lanes.begin(live)
    this.#go(live, this.#run(live))
  }

  #go(live: LiveTurn, run: Promise<void>): void {
    run.catch((error: unknown) => {
      this.#parts.log.error('A turn could not be run', { turn: live.turn.id, cause: stackOf(error) })
      this.#leave(live)
    })
  }

  #mayRun({ isAsked, notBefore, turn }: LiveTurn): boolean {
    return notBefore <= this.#now() && (isAsked || !this.isPaused(turn.agentId))
  }

  async #run(live: LiveTurn): Promise<void> {
    const agent = this.#parts.agent(live.turn.agentId)
    if (agent === undefined) return this.#leave(live)
    const found = await this.#parts.profiles.of(agent)
    const begun = await this.#begin(live, found.ok ? found.profile : null)
    if (begun.kind !== 'begun') return this.#notBegun(live, begun)
    await this.#runClaimed(live, agent, found, begun.turn)
  }

  async #runClaimed(live: LiveTurn, agent: Agent, found: ProfileFound, claimed: TurnRow): Promise<void> {
    live.turn = claimed
    this.#changed(claimed)
    live.tell({ type: 'start', turn_id: claimed.id })
    const end = found.ok
      ? await this.#work(live, agent, found.profile, await this.#session(live))
      : failedEnd(endedResult('NO_PROFILE', found.error))
    await this.#settle(live, end)
  }

  /** What is known of its session, as soon as the store can be asked: without that, the agent would begin another one. */
  async #session({ turn: { agentId, session }, signal }: LiveTurn): Promise<AgentSession | null> {
    for (;;) {
      const known = await this.#orAway(() => this.#parts.store.sessions.get(agentId, session))
      if (known.ok) return known.value
      // What is to end is not run.
      if (signal.aborted) return null
      await sleep(PAUSE_MS)
    }
  }

  /** The claim, unless the agent has used what it may. */
  #begin(live: LiveTurn, profile: Profile | null): Promise<Begun> {
    if (profile === null) return this.#claim(live)
    const { agentId } = live.turn
    const begin = async (): Promise<Begun> => {
      const cap = await this.#orAway(() => this.reached(agentId, profile))
      if (!cap.ok) return { kind: 'away' }
      return cap.value === null ? this.#claim(live) : { kind: 'cap', cap: cap.value }
    }
    const { turns_per_hour } = this.#caps(profile)
    return turns_per_hour === undefined ? begin() : this.#claiming.run(agentId, begin)
  }

  async #claim({ turn }: LiveTurn): Promise<Begun> {
    // What has not begun is for the next daemon.
    if (this.#stopping) return { kind: 'gone' }
    const { store, holder } = this.#parts
    const claimed = await this.#orAway(() => store.turns.claim(turn.id, holder, isoTime(this.#now())))
    if (!claimed.ok) return { kind: 'away' }
    return claimed.value === null ? { kind: 'gone' } : { kind: 'begun', turn: claimed.value }
  }

  async #notBegun(live: LiveTurn, begun: Exclude<Begun, { kind: 'begun' }>): Promise<void> {
    if (begun.kind === 'gone') return this.#leave(live)
    if (begun.kind === 'away') return this.#later(live, this.#now() + PAUSE_MS)
    if (!live.isAsked) return this.#later(live, begun.cap.opensAt)
    await this.#drop(live, 'failed', endedResult('LIMIT_REACHED', capSentence(begun.cap)))
  }

  async #work(live: LiveTurn, agent: Agent, profile: Profile, session: AgentSession | null): Promise<AgentEnd> {
    const { message, session: sessionName, from, attachments, hops, id } = live.turn
    const limit = setTimeout(() => live.stop('timeout'), Math.min(profile.turnTimeoutMs, LONGEST_WAIT_MS))
    live.begin()
    try {
      return await this.#parts.run({
        turnId: id,
        agent,
        profile,
        request: { message, sessionName, sessionId: session?.sessionId ?? null, fromUser: from, attachments },
        isNew: session === null || (session.sessionId === null && !session.hasSucceeded),
        hops,
        signal: live.signal,
        onPartial: (text) => this.#said(live, text),
        onStep: (step) => {
          live.step(step)
          this.#parts.changed('turn', id, agent.id)
        },
        onStderr: (end) => {
          live.stderr = end
        },
      })
    } catch (error) {
      this.#parts.log.error('A turn could not be run', { turn: id, cause: stackOf(error) })
      return failedEnd(endedResult('INTERNAL_ERROR', 'The turn failed for a reason that is in the log of the daemon.'))
    } finally {
      clearTimeout(limit)
    }
  }

  #said(live: LiveTurn, text: string): void {
    const { turn, textBytes } = live
    live.partial(text)
    this.#parts.said({ turnId: turn.id, run: turn.claim, offset: textBytes, text })
  }

  /** What became of the run goes to the disk with all that follows from it, as soon as that can be. */
  async #settle(live: LiveTurn, end: AgentEnd): Promise<void> {
    const { log } = this.#parts
    live.stderr = end.stderr
    for (let pauses = 0; ; pauses += 1) {
      const after = afterRun(live.turn, end, live.endReason, this.#now())
      try {
        const isOurs = await storeEnd(this.#parts.store, { after, detail: live.detail, end, now: this.#now() })
        if (!isOurs) log.warn('A turn was taken over or removed while it ran', { turn: after.id })
        return this.#settled(live, isOurs ? after : { ...after, state: 'interrupted' }, end)
      } catch (error) {
        if (pauses === 0) log.error('The end of a turn waits for the store', { turn: after.id, cause: String(error) })
        // The next daemon finds it interrupted, or runs it again.
        if (this.#stopping && pauses > 2) return this.#leave(live)
        await sleep(PAUSE_MS)
      }
    }
  }

  #settled(live: LiveTurn, after: TurnRow, { result }: AgentEnd): void {
    const { log } = this.#parts
    live.turn = after
    const { id, agentId, state, code } = after
    if (!result.ok) log.info('A turn failed', { turn: id, agent: agentId, state, code: code ?? '' })
    if (state === 'queued' && !this.#stopping) this.#again(live)
    else {
      this.#grown.add(agentId)
      live.tell({ type: 'result', ...result })
      this.#leave(live)
      this.#changed(after)
    }
    for (const listener of this.#endListeners) listener(after)
  }

  /** It waits for its next run; whoever follows it goes on following. */
  #again(live: LiveTurn): void {
    const lane = this.#lanes.ofTurn(live)
    this.#lanes.forget(live)
    live.again()
    this.#enter(live)
    live.tell({ type: 'queued', turn_id: live.turn.id, position: this.#position(live) })
    this.#pump(lane)
  }

  #leave(live: LiveTurn): void {
    const lane = this.#lanes.ofTurn(live)
    this.#lanes.forget(live)
    live.over()
    this.#pump(lane)
  }

  #later(live: LiveTurn, time: number): void {
    const lane = this.#lanes.ofTurn(live)
    lane.running = null
    lane.waiting.unshift(live)
    this.#wakeAt(live, time)
    this.#pump(lane)
  }

  /** Ends one that runs, or takes one away that waits. */
  async #end(live: LiveTurn): Promise<void> {
    if (this.#lanes.ofTurn(live).running === live) {
      live.stop('cancel')
      return live.ended
    }
    await this.#drop(live, 'cancelled', endedResult('CANCELLED', 'The turn was cancelled before it began.'))
    // It began meanwhile, or is on its way to the disk.
    if (this.#lanes.byId(live.turn.id) === live) await this.#end(live)
  }

  /** One that has not begun is over. */
  async #drop(live: LiveTurn, state: 'cancelled' | 'failed', result: TurnResultView): Promise<void> {
    const endedAt = isoTime(this.#now())
    const over: TurnRow = { ...live.turn, state, code: result.code, endedAt, result }
    if (!(await this.#parts.store.turns.change(over))) return
    live.turn = over
    live.tell({ type: 'result', ...result })
    this.#changed(over)
    this.#leave(live)
  }

  #caps(profile: Profile): Caps {
    return { ...this.#parts.caps(), ...profile.limits }
  }

  #now(): number {
    return this.#parts.clock.now()
  }

  #position(live: LiveTurn): number {
    return this.#lanes.ofTurn(live).waiting.indexOf(live) + 1
  }

  #changed(turn: TurnRow): void {
    if (this.#watchers.size === 0) return
    const summary = summaryOf(turn)
    for (const watcher of this.#watchers) watcher(summary)
  }

  /** Work whose claim is lost, or cannot be kept, ends. */
  async #renew(): Promise<void> {
    const running = this.#lanes.running().filter(({ turn }) => turn.state === 'running')
    if (running.length === 0) return
    const began = performance.now()
    try {
      const kept = new Set(await this.#parts.store.turns.renew(running.map(({ turn }) => turn)))
      for (const live of running) {
        if (kept.has(live.turn.id)) live.renewedAt = began
        else if (!live.isOver) live.stop('lost')
      }
    } catch {
      for (const live of running) if (began - live.renewedAt > LIMITS.leaseEndMs) live.stop('lost')
    }
  }

  async #orAway<T>(ask: () => Promise<T>): Promise<{ ok: true; value: T } | { ok: false }> {
    try {
      return { ok: true, value: await ask() }
    } catch (error) {
      this.#parts.log.warn('A turn could not ask the store', { cause: String(error) })
      return { ok: false }
    }
  }
}

type Begun =
  | { readonly kind: 'begun'; readonly turn: TurnRow }
  | { readonly kind: 'gone' }
  /** The store cannot be asked now. */
  | { readonly kind: 'away' }
  | { readonly kind: 'cap'; readonly cap: Reached }

const PAUSED = 'paused:'
/** The session in which events are dealt with. */
const EVENTS_SESSION = 'events'
/** Longer waits overflow a timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

function isOpen({ state }: TurnRow): boolean {
  return state === 'queued' || state === 'running' || state === 'waiting'
}

/** Why nothing can be given to the agent as it is; null when it can. */
async function whyRefused(
  profile: Profile,
  { message, session, from, attachments }: TurnAsked,
): Promise<string | null> {
  const { refusedMessage } = await import('@string-os/bridge')
  const request = { message, sessionName: session, sessionId: null, fromUser: from, attachments }
  return refusedMessage(profile, firstRequest(profile, request, true))
}

function failedEnd(result: TurnResultView): AgentEnd {
  return { result, stderr: '', usage: { duration_ms: 0 } }
}

function digestOf({ message, session, from, attachments }: TurnAsked): string {
  return hash('sha256', JSON.stringify([message, session || DEFAULT_SESSION, from, attachments]), 'base64')
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
