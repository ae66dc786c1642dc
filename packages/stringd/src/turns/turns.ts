import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@string-os/bridge'
import { DEFAULT_SESSION, LIMITS, type TurnAsked, type TurnSummary, type TurnView } from '@string-os/protocol'
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
import { type Lane, Lanes } from './lanes.ts'
import { type Follower, LiveTurn } from './live-turn.ts'
import { profileOf } from './profile-of.ts'
import type { AgentEnd, AgentRun } from './run-agent.ts'
import { NO_DETAIL, summaryOf, viewTurn } from './turn-view.ts'
import { dayOf, tokensOf } from './usage.ts'

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
  readonly run: (work: TurnWork) => Promise<AgentEnd>
  /** What holds for every agent whose profile says nothing else. */
  readonly caps: () => Profile['limits']
  readonly log: Log
  readonly now: () => number
}

/** Why a turn is not taken, in the words of HTTP. */
export interface NotTaken {
  readonly ok: false
  readonly status: 404 | 409 | 429 | 503
  readonly code: string
  readonly message: string
  readonly retryAfterSecs?: number
}

export type Taken = { readonly ok: true; readonly turnId: string } | NotTaken

const PAUSE_MS = 1_000

/** The turns of all agents: asked for, run one after the other in a session, stored, and followed by whoever wants to. */
export class Turns {
  readonly #parts: TurnsParts
  readonly #ids: EventIds
  readonly #lanes = new Lanes()
  readonly #asking = new Map<string, Promise<Taken>>()
  readonly #watchers = new Set<(turn: TurnSummary) => void>()
  readonly #endListeners = new Set<(turn: TurnRow) => void>()
  readonly #paused = new Set<string>()
  /** Agents whose history has grown. */
  readonly #grown = new Set<string>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #renewing: NodeJS.Timeout | null = null
  #isStarted = false
  #stopping = false

  constructor(parts: TurnsParts) {
    this.#parts = parts
    this.#ids = new EventIds(null, parts.now, 'trn_')
  }

  /** Goes on with what an earlier daemon left; again and again, until the store can be asked. */
  async start(): Promise<void> {
    const { store, holder, log, now } = this.#parts
    this.#renewing = setInterval(() => void this.#renew(), LIMITS.leaseRenewMs).unref()
    for (let isFirst = true; !this.#stopping; isFirst = false) {
      try {
        for (const name of (await store.marks.list(PAUSED, LIMITS.agents)).keys())
          this.#paused.add(name.slice(PAUSED.length))
        await store.turns.recover(holder, isoTime(now()))
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
    const now = this.#parts.now()
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
    if (asked.requestId === null) return this.#ask(agent, asked)
    const key = `${agent.id}\0${asked.requestId}\0${digestOf(asked)}`
    const first = this.#asking.get(key)
    if (first !== undefined) return first
    const taking = this.#ask(agent, asked).finally(() => this.#asking.delete(key))
    this.#asking.set(key, taking)
    return taking
  }

  /** The turn of an event: stored together with the place up to which events have become turns. */
  async addEvent(agent: Agent, event: EventRow, mark: string | null): Promise<void> {
    const live = new LiveTurn({
      ...this.#newTurn(agent.id, EVENTS_SESSION),
      from: event.source,
      source: event.source,
      eventId: event.id,
      message: event.text,
      hops: event.hops,
    })
    await this.#parts.store.transaction(async ({ turns, marks }) => {
      if (mark !== null) await marks.put(mark, event.id)
      await turns.add(live.turn)
    })
    this.#enter(live)
  }

  /** Gives an event to its agent once more. */
  async retryEvent(agent: Agent, event: EventRow): Promise<void> {
    const { store } = this.#parts
    const turn = await store.turns.ofEvent(agent.id, event.id)
    if (turn === null) return this.addEvent(agent, event, null)
    if (isOpen(turn)) return
    await this.#reopen(turn)
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
    const live = this.#lanes.byId(id)
    if (live !== undefined) return viewTurn(live.turn, live.detail)
    const { turns } = this.#parts.store
    const turn = await turns.byId(id)
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
    if (!stop) return 0
    const all = this.#lanes.all(agentId)
    await Promise.all(all.map((live) => this.#end(live)))
    return all.length
  }

  async resume(agentId: string): Promise<void> {
    await this.#parts.store.marks.remove(PAUSED + agentId)
    this.#paused.delete(agentId)
    for (const live of this.#lanes.all(agentId)) this.#pump(this.#lanes.ofTurn(live))
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
    const { store, caps, now } = this.#parts
    return reachedCap(store, agentId, { ...caps(), ...profile.limits }, now())
  }

  async prune(): Promise<number> {
    const { store, now } = this.#parts
    const [ended, used] = [isoTime(now() - LIMITS.turnKeepMs), isoTime(now() - LIMITS.turnRequestMs)]
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
    for (const timer of this.#timers) clearTimeout(timer)
    const running = this.#lanes.running()
    for (const live of running) live.stop('stop')
    await Promise.all(running.map(({ ended }) => ended))
    for (const live of this.#lanes.all()) live.over()
  }

  async #ask(agent: Agent, asked: TurnAsked): Promise<Taken> {
    if (this.#stopping) return notTaken(503, 'CANCELLED', 'The daemon stops')
    if (!this.#isStarted) throw new StoreAway('the turns of an earlier daemon are being read')
    const { store, now } = this.#parts
    const found = await profileOf(agent)
    if (!found.ok) return notTaken(409, 'NO_PROFILE', found.error)
    const { requestId } = asked
    const since = isoTime(now() - LIMITS.turnRequestMs)
    const same = requestId === null ? null : await store.turns.request(agent.id, requestId, since)
    if (same !== null)
      return same.digest === digestOf(asked) ? { ok: true, turnId: same.turnId } : otherMessage(requestId)
    const cap = await this.reached(agent.id, found.profile)
    if (cap !== null) return overCap(cap, now())
    return this.#admit(agent, asked, found.profile)
  }

  /** From here to the place in the lane nothing waits, so that the order is that of the requests. */
  #admit(agent: Agent, asked: TurnAsked, { whenBusy }: Profile): Promise<Taken> {
    const session = asked.session || DEFAULT_SESSION
    const lane = this.#lanes.of(agent.id, session)
    const waiting = lane.waiting.filter(({ isAsked }) => isAsked)
    const isBusy = lane.running !== null || waiting.length > 0
    if (isBusy && whenBusy === 'refuse') return Promise.resolve(busy(session))
    const amount = waiting.reduce((sum, { messages }) => sum + messages, 0)
    if (amount >= LIMITS.turnsWaiting) return Promise.resolve(queueFull(session))
    const [last] = waiting.slice(-1)
    if (isBusy && whenBusy === 'collect' && last !== undefined) return this.#join(agent, asked, last)
    if (whenBusy === 'interrupt' && lane.running?.isAsked === true) lane.running.stop('cancel')
    return this.#queue(agent, { ...asked, session })
  }

  async #queue(agent: Agent, { message, session, from, attachments, requestId, ...rest }: TurnAsked): Promise<Taken> {
    const live = new LiveTurn({ ...this.#newTurn(agent.id, session), message, from, attachments, requestId })
    this.#lanes.wait(live)
    try {
      await this.#parts.store.transaction(async ({ turns }) => {
        await turns.add(live.turn)
        await this.#keepRequest(turns, live.turn, { message, session, from, attachments, requestId, ...rest })
      })
    } catch (error) {
      this.#lanes.forget(live)
      live.over()
      throw error
    }
    this.#enter(live)
    return { ok: true, turnId: live.turn.id }
  }

  /** What waits becomes one turn, and everybody gets its stream. */
  async #join(agent: Agent, asked: TurnAsked, live: LiveTurn): Promise<Taken> {
    live.messages += 1
    const isJoined = await this.#parts.store.transaction(async ({ turns }) => {
      const { message, attachments } = live.turn
      const texts = [message, asked.message].filter((text) => text !== '')
      const joined = { ...live.turn, message: texts.join('\n\n'), attachments: [...attachments, ...asked.attachments] }
      if (!(await turns.change(joined))) return false
      await this.#keepRequest(turns, joined, asked)
      live.turn = joined
      return true
    })
    if (isJoined) return { ok: true, turnId: live.turn.id }
    return this.#queue(agent, { ...asked, session: live.turn.session })
  }

  async #keepRequest(turns: Groups['turns'], turn: TurnRow, asked: TurnAsked): Promise<void> {
    const { requestId } = asked
    if (requestId === null) return
    const { agentId, id } = turn
    const usedAt = isoTime(this.#parts.now())
    await turns.putRequest({ agentId, requestId, turnId: id, digest: digestOf(asked), usedAt })
  }

  #newTurn(agentId: string, session: string): TurnRow {
    const createdAt = isoTime(this.#parts.now())
    return {
      id: this.#ids.next(),
      agentId,
      session,
      from: '',
      source: 'person',
      eventId: null,
      requestId: null,
      message: '',
      attachments: [],
      hops: 0,
      state: 'queued',
      code: null,
      attempt: 1,
      createdAt,
      startedAt: null,
      endedAt: null,
      nextAt: createdAt,
      result: null,
      usage: null,
      claim: 0,
    }
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
    const nextAt = isoTime(this.#parts.now())
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
    const wait = time - this.#parts.now()
    if (wait <= 0) return this.#pump(lane)
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#pump(lane)
      },
      Math.min(wait, LONGEST_WAIT_MS),
    ).unref()
    this.#timers.add(timer)
  }

  /** Begins the next one of a session, where none runs. */
  #pump(lane: Lane): void {
    if (lane.running !== null || this.#stopping) return
    const live = lane.waiting.find((each) => this.#mayRun(each))
    // One before it is on its way to the disk: that one comes first.
    if (live === undefined || !live.isStored) return
    this.#lanes.begin(live)
    void this.#run(live).catch((error: unknown) => {
      this.#parts.log.error('A turn could not be run', { turn: live.turn.id, cause: stackOf(error) })
      this.#leave(live)
    })
  }

  #mayRun({ isAsked, notBefore, turn }: LiveTurn): boolean {
    return notBefore <= this.#parts.now() && (isAsked || !this.isPaused(turn.agentId))
  }

  async #run(live: LiveTurn): Promise<void> {
    const { store, holder, agent: find, now } = this.#parts
    const agent = find(live.turn.agentId)
    if (agent === undefined) return this.#leave(live)
    const found = await profileOf(agent)
    if (!live.isAsked && found.ok) {
      const cap = await this.#orAway(() => this.reached(agent.id, found.profile), null)
      if (cap !== null) return this.#later(live, cap.opensAt)
    }
    const claimed = await this.#orAway(() => store.turns.claim(live.turn.id, holder, isoTime(now())), 'away' as const)
    if (claimed === 'away') return this.#later(live, now() + PAUSE_MS)
    if (claimed === null) return this.#leave(live)
    live.turn = claimed
    this.#changed(live.turn)
    live.tell({ type: 'start', turn_id: live.turn.id })
    const session = await this.#orAway(() => store.sessions.get(agent.id, live.turn.session), null)
    const end = found.ok
      ? await this.#work(live, agent, found.profile, session)
      : { result: endedResult('NO_PROFILE', found.error), stderr: '', usage: { duration_ms: 0 } }
    await this.#settle(live, end, session)
  }

  async #work(live: LiveTurn, agent: Agent, profile: Profile, session: AgentSession | null): Promise<AgentEnd> {
    const { message, session: sessionName, from, attachments, hops, id } = live.turn
    const limit = setTimeout(() => live.stop('timeout'), Math.min(profile.turnTimeoutMs, LONGEST_WAIT_MS))
    live.clear()
    try {
      return await this.#parts.run({
        turnId: id,
        agent,
        profile,
        request: { message, sessionName, sessionId: session?.sessionId ?? null, fromUser: from, attachments },
        isNew: session === null || (session.sessionId === null && !session.hasSucceeded),
        hops,
        signal: live.signal,
        onPartial: (text) => live.partial(text),
        onStep: (step) => live.step(step),
        onStderr: (end) => {
          live.stderr = end
        },
      })
    } finally {
      clearTimeout(limit)
    }
  }

  /** What became of the run goes to the disk with all that follows from it, as soon as that can be. */
  async #settle(live: LiveTurn, end: AgentEnd, session: AgentSession | null): Promise<void> {
    const { log } = this.#parts
    live.stderr = end.stderr
    const wasStopped = live.signal.reason === 'stop'
    for (let pauses = 0; ; pauses += 1) {
      const after = afterRun(live.turn, end, wasStopped, this.#parts.now())
      try {
        const isOurs = await this.#store(after, live, end, session)
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

  #store(after: TurnRow, live: LiveTurn, { result, usage }: AgentEnd, before: AgentSession | null): Promise<boolean> {
    const at = isoTime(this.#parts.now())
    const { agentId, session, eventId } = after
    const sessionId = result.session_id ?? before?.sessionId ?? null
    const hasSucceeded = result.ok || (before?.hasSucceeded ?? false)
    return this.#parts.store.transaction(async (groups) => {
      if (!(await groups.turns.settle(after, live.detail))) return false
      if (result.ok && eventId !== null) await groups.events.ack(agentId, [eventId], at)
      await groups.sessions.put({ agentId, session, sessionId, hasSucceeded, usedAt: at })
      await groups.usage.add({
        day: dayOf(this.#parts.now()),
        agentId,
        session,
        turns: 1,
        failed: result.ok ? 0 : 1,
        inputTokens: usage.input_tokens ?? 0,
        outputTokens: usage.output_tokens ?? 0,
        totalTokens: tokensOf(usage),
        costUsd: usage.cost_usd ?? 0,
        durationMs: usage.duration_ms,
      })
      return true
    })
  }

  #settled(live: LiveTurn, after: TurnRow, { result }: AgentEnd): void {
    const { log } = this.#parts
    live.turn = after
    const { id, agentId, state, code } = after
    if (!result.ok) log.info('A turn failed', { turn: id, agent: agentId, state, code: code ?? '' })
    this.#grown.add(agentId)
    live.tell({ type: 'result', ...result })
    this.#leave(live)
    if (after.state === 'queued' && !this.#stopping) this.#enter(new LiveTurn(after))
    else this.#changed(after)
    for (const listener of this.#endListeners) listener(after)
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
  }

  /** Ends one that runs, or takes one away that waits. */
  async #end(live: LiveTurn): Promise<void> {
    if (this.#lanes.ofTurn(live).running === live) {
      live.stop('cancel')
      return live.ended
    }
    const result = endedResult('CANCELLED', 'The turn was cancelled before it began.')
    const endedAt = isoTime(this.#parts.now())
    const cancelled: TurnRow = { ...live.turn, state: 'cancelled', code: 'CANCELLED', endedAt, result }
    if (!(await this.#parts.store.turns.change(cancelled))) return this.#lanes.byId(live.turn.id) && this.#end(live)
    live.turn = cancelled
    live.tell({ type: 'result', ...result })
    this.#changed(cancelled)
    this.#leave(live)
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

  async #orAway<T, U>(ask: () => Promise<T>, away: U): Promise<T | U> {
    try {
      return await ask()
    } catch (error) {
      this.#parts.log.warn('A turn could not ask the store', { cause: String(error) })
      return away
    }
  }
}

const PAUSED = 'paused:'
/** The session in which events are dealt with. */
const EVENTS_SESSION = 'events'
/** Longer waits overflow a timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

function isOpen({ state }: TurnRow): boolean {
  return state === 'queued' || state === 'running' || state === 'waiting'
}

function digestOf({ message, session, from, attachments }: TurnAsked): string {
  return hash('sha256', JSON.stringify([message, session || DEFAULT_SESSION, from, attachments]), 'base64')
}

function replay(view: TurnView, position: number, from: number, follower: Follower): void {
  const { turn_id, state, partial, steps, result } = view
  if (position > 0) follower({ type: 'queued', turn_id, position })
  if (state === 'queued') return
  follower({ type: 'start', turn_id })
  const text = partial.slice(from)
  if (text !== '') follower({ type: 'partial', text })
  for (const step of steps) follower({ type: 'step', ...step })
  if (result !== null) follower({ type: 'result', ...result })
  else if (state === 'interrupted')
    follower({ type: 'result', ...endedResult('CANCELLED', 'The daemon was stopped while the turn ran.') })
}

function notTaken(status: NotTaken['status'], code: string, message: string): NotTaken {
  return { ok: false, status, code, message }
}

function otherMessage(requestId: string | null): NotTaken {
  return notTaken(409, 'CONFLICT', `request_id ${requestId} was used for another message; use a new one`)
}

function overCap({ what, opensAt }: Reached, now: number): NotTaken {
  const at = new Date(opensAt).toISOString()
  const message = `The agent has used its ${what}; it can be asked again at ${at}`
  const retryAfterSecs = Math.max(1, Math.ceil((opensAt - now) / 1000))
  return { ...notTaken(429, 'LIMIT_REACHED', message), retryAfterSecs }
}

function busy(session: string): NotTaken {
  return notTaken(409, 'BUSY', `A turn of session ${session} runs; ask again when it is over, or in another session`)
}

function queueFull(session: string): NotTaken {
  const message = `${LIMITS.turnsWaiting} messages wait in session ${session} already; ask later, or in another session`
  return { ...notTaken(429, 'QUEUE_FULL', message), retryAfterSecs: 5 }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
