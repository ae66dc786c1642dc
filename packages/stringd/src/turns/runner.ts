import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@string-os/bridge'
import { LIMITS, type TurnResultView, type TurnSummary, type TurnTryView } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import type { AgentSession } from '../store/groups/agent-sessions.ts'
import type { TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import { afterRun, CUT_OFF, EVENT_OVER, endedResult } from './after-run.ts'
import { beforeItBegan, type CancelReason } from './cancelled.ts'
import { AgentCaps } from './caps.ts'
import { type Begun, Claims } from './claims.ts'
import { KeptText } from './kept-text.ts'
import { type Lane, Lanes } from './lanes.ts'
import type { LiveTurn } from './live-turn.ts'
import { capSentence } from './not-taken.ts'
import { PassingOn } from './passing-on.ts'
import type { ProfileFound } from './profile-of.ts'
import { Questions } from './questions.ts'
import type { AgentEnd } from './run-agent.ts'
import { RunProgress } from './run-progress.ts'
import { storeEnd } from './store-end.ts'
import { cutOffBefore, cutOffRun, withTry } from './tries.ts'
import { summaryOf } from './turn-view.ts'
import { PAUSE_MS, type TurnsParts } from './turns-parts.ts'

const LIMITED_LOOK_MS = 15_000

/** Runs stored turns, in a session one after the other: claimed, worked on, and settled in the store. */
export class Runner {
  readonly lanes = new Lanes()
  readonly caps: AgentCaps
  readonly #parts: TurnsParts
  readonly #isPaused: (agentId: string) => boolean
  readonly #claims: Claims
  readonly #questions: Questions
  readonly #watchers = new Set<(turn: TurnSummary) => void>()
  readonly #endListeners = new Set<(turn: TurnRow) => void>()
  /** How to prevent what is waited for. */
  readonly #waits = new Set<() => void>()
  readonly #passing: PassingOn
  readonly #kept: KeptText
  #renewing: NodeJS.Timeout | null = null
  #stopping = false
  #draining = false
  /** A turn is not ours any more, or is not where it was thought to be: whoever hears that looks at its agent. */
  onDoubt: (agentId: string, isSoon?: boolean) => void = () => undefined

  constructor(parts: TurnsParts, isPaused: (agentId: string) => boolean) {
    this.#parts = parts
    this.#isPaused = isPaused
    this.caps = new AgentCaps(parts)
    this.#claims = new Claims(parts, this.caps)
    this.#passing = new PassingOn(parts.store.relay)
    this.#kept = new KeptText(parts, () => this.#claimed())
    this.#questions = new Questions(parts, (live) => this.#changed(live))
  }

  start(): void {
    this.#renewing = setInterval(() => void this.#renew(), LIMITS.leaseRenewMs).unref()
    this.#kept.start()
  }

  get isStopping(): boolean {
    return this.#stopping
  }

  get isDraining(): boolean {
    return this.#draining
  }

  /** While it drains, nothing begins. */
  drain(isDraining: boolean): void {
    this.#draining = isDraining
    this.pumpAll()
  }

  pumpAll(): void {
    for (const lane of new Set(this.lanes.all().map((live) => this.lanes.ofTurn(live)))) this.pump(lane)
  }

  /** Whether a turn that is next in its session may begin here. */
  mayBegin({ turn }: LiveTurn): boolean {
    if (this.#draining) return false
    const { isForAnyone, maxTurns } = this.#parts.fleet
    return !isForAnyone(turn.agentId) || this.lanes.running().length < maxTurns
  }

  /** Other nodes shall hear what it says. */
  passOn(live: LiveTurn): void {
    this.#passing.begin(live)
  }

  onEnd(listener: (turn: TurnRow) => void): void {
    this.#endListeners.add(listener)
  }

  /** `watcher` hears of every turn that changes its state. */
  watch(watcher: (turn: TurnSummary) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  position(live: LiveTurn): number {
    return this.lanes.ofTurn(live).waiting.indexOf(live) + 1
  }

  /** Ends what runs; what waits is run by the next daemon. */
  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#renewing !== null) clearInterval(this.#renewing)
    this.#kept.stop()
    for (const prevent of this.#waits) prevent()
    const running = this.lanes.running()
    for (const live of running) live.stop('stop')
    await Promise.all(running.map(({ ended }) => ended))
    for (const live of this.lanes.all()) live.over()
  }

  /** One that was stored and claimed in one change begins. */
  enterRunning(live: LiveTurn, agent: Agent, profile: Profile, claimed: TurnRow): void {
    live.isStored = true
    this.#changed(live)
    this.#go(live, this.#runClaimed(live, agent, { ok: true, profile }, claimed))
  }

  /** Others were before it, of which this node has not heard yet. */
  notNext(live: LiveTurn): void {
    this.lanes.ofTurn(live).running = null
    this.onDoubt(live.turn.agentId)
  }

  /** A stored turn takes its place. */
  enter(live: LiveTurn): void {
    live.isStored = true
    this.lanes.wait(live)
    this.#changed(live)
    this.wakeAt(live, Date.parse(live.turn.nextAt))
  }

  wakeAt(live: LiveTurn, time: number): void {
    live.notBefore = time
    const lane = this.lanes.ofTurn(live)
    const wait = time - this.#now()
    if (wait <= 0) return this.pump(lane)
    const prevent = this.#parts.clock.wait(wait, () => {
      this.#waits.delete(prevent)
      this.pump(lane)
    })
    this.#waits.add(prevent)
  }

  /** Begins the next one of a session, where none runs. */
  pump(lane: Lane): void {
    if (lane.running !== null || this.#stopping) return
    const first = lane.waiting.find(({ isAsked }) => isAsked)
    // No message of a person overtakes another; an event may overtake one that is tried again later.
    const live = lane.waiting.find((each) => this.#mayRun(each) && (each === first || !each.isAsked))
    // One before it is on its way to the disk: that one comes first.
    if (live === undefined || !live.isStored || !this.mayBegin(live)) return
    this.lanes.begin(live)
    this.#go(live, this.#run(live))
  }

  #go(live: LiveTurn, run: Promise<void>): void {
    run.catch((error: unknown) => {
      this.#parts.log.error('A turn could not be run', { turn: live.turn.id, cause: stackOf(error) })
      this.leave(live)
    })
  }

  #mayRun({ isAsked, notBefore, turn }: LiveTurn): boolean {
    return notBefore <= this.#now() && (isAsked || !this.#isPaused(turn.agentId))
  }

  async #run(live: LiveTurn): Promise<void> {
    const agent = this.#parts.agent(live.turn.agentId)
    if (agent === undefined) return this.leave(live)
    const found = await this.#parts.profiles.of(agent)
    this.#note(agent)
    // What has not begun is for the next daemon.
    if (this.#stopping) return this.leave(live)
    const begun = await this.#claims.begin(live, found.ok ? found.profile : null)
    if (begun.kind !== 'begun') return this.#notBegun(live, begun)
    await this.#runClaimed(live, agent, found, begun.turn)
  }

  async #runClaimed(live: LiveTurn, agent: Agent, found: ProfileFound, claimed: TurnRow): Promise<void> {
    const cutOff = cutOffBefore(live.turn)
    live.turn = claimed
    if (!this.#parts.fleet.isHere(claimed.agentId)) this.#sign(claimed.agentId)
    live.tries = await this.#triesOf(live, cutOff)
    this.#changed(live)
    live.tell({ type: 'start', turn_id: claimed.id })
    const end = found.ok
      ? await this.#work(live, agent, found.profile, await this.#claims.session(live))
      : failedEnd(endedResult('NO_PROFILE', found.error))
    await this.#settle(live, end)
  }

  /** The runs of it that came to nothing, with the last, where nobody saw the end of that. */
  async #triesOf({ turn, tries }: LiveTurn, cutOff: TurnRow | null): Promise<readonly TurnTryView[]> {
    if (turn.claim === 1 || (tries !== null && cutOff === null)) return tries ?? []
    const before = await this.#claims.before(turn.id)
    const known = tries ?? before.tries
    return cutOff === null ? known : withTry(known, cutOffRun(cutOff, before.stderr))
  }

  /** Where the agent lives, it is known that others have the turn. */
  #sign(agentId: string): void {
    this.#parts.store.agents
      .hold(agentId)
      .catch((error: unknown) => this.#parts.log.debug('That a turn runs here is not told', { cause: String(error) }))
  }

  #note(agent: Agent): void {
    this.#parts.fleet
      .noted(agent)
      .catch((error: unknown) => this.#parts.log.warn('A profile could not be made known', { cause: String(error) }))
  }

  async #notBegun(live: LiveTurn, begun: Exclude<Begun, { kind: 'begun' }>): Promise<void> {
    if (begun.kind === 'gone') return this.taken(live)
    if (begun.kind === 'away') return this.#later(live, this.#now() + PAUSE_MS)
    // A limit may be raised before it opens, and nobody tells of that.
    if (!live.isAsked) return this.#later(live, Math.min(begun.cap.opensAt, this.#now() + LIMITED_LOOK_MS))
    await this.#drop(live, 'failed', endedResult('LIMIT_REACHED', capSentence(begun.cap)))
  }

  async #work(live: LiveTurn, agent: Agent, profile: Profile, session: AgentSession | null): Promise<AgentEnd> {
    const { message, session: sessionName, from, attachments, hops, id } = live.turn
    const { PausableTimer } = await import('@string-os/bridge')
    const time = new PausableTimer(profile.turnTimeoutMs, () => live.stop('timeout'))
    live.begin(new RunProgress(profile, time, this.#parts.clock))
    await this.#questions.recall(live)
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
        onProcess: (process) => live.progress?.began(process),
        onStderr: (end) => {
          live.progress?.ended()
          live.stderr = end
        },
        ask: async (question, over) => {
          const goOn = time.pause()
          try {
            return await this.#questions.ask(live, { ...question, timeoutMs: profile.approvalMs }, over)
          } finally {
            goOn()
          }
        },
      })
    } catch (error) {
      this.#parts.log.error('A turn could not be run', { turn: id, cause: stackOf(error) })
      return failedEnd(endedResult('INTERNAL_ERROR', 'The turn failed for a reason that is in the log of the daemon.'))
    } finally {
      time.end()
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
        const tries = triesAfter(live, after, end, isoTime(this.#now()))
        const detail = tries.length === 0 ? live.detail : { ...live.detail, tries }
        const isOurs = await storeEnd(this.#parts.store, { after, detail, end, now: this.#now() })
        live.tries = tries
        if (isOurs) return this.#settled(live, after, end)
        log.warn('A turn was taken over or removed while it ran', { turn: after.id })
        for (const listener of this.#endListeners) listener({ ...after, state: 'interrupted' })
        return this.taken(live)
      } catch (error) {
        if (pauses === 0) log.error('The end of a turn waits for the store', { turn: after.id, cause: String(error) })
        // The next daemon finds it interrupted, or runs it again.
        if (this.#stopping && pauses > 2) return this.leave(live)
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
      if (state !== 'queued') this.#questions.end(live)
      // One that goes on with the next daemon has no result of its own: whoever follows it is told why it ends here.
      live.tell({
        type: 'result',
        state: state === 'queued' ? 'interrupted' : state,
        ...(after.result ?? { ...result, error: CUT_OFF }),
      })
      this.leave(live)
      this.#changed(live)
    }
    for (const listener of this.#endListeners) listener(after)
  }

  /** It waits for its next run; whoever follows it goes on following. */
  #again(live: LiveTurn): void {
    const lane = this.lanes.ofTurn(live)
    this.lanes.forget(live)
    live.again()
    this.enter(live)
    live.tell({ type: 'queued', turn_id: live.turn.id, position: this.position(live) })
    this.pump(lane)
  }

  /** It is not ours, or not yet: those who follow it go on with what is stored of it. */
  taken(live: LiveTurn): void {
    live.isTaken = true
    this.leave(live)
    // What it waits for may be over in a moment: another's claim, or the way of a message.
    this.onDoubt(live.turn.agentId, true)
    this.onDoubt(live.turn.agentId)
  }

  leave(live: LiveTurn): void {
    const lane = this.lanes.ofTurn(live)
    this.lanes.forget(live)
    live.over()
    this.pump(lane)
    // There is room for one more.
    if (this.#parts.fleet.isForAnyone(live.turn.agentId)) this.pumpAll()
  }

  #later(live: LiveTurn, time: number): void {
    const lane = this.lanes.ofTurn(live)
    lane.running = null
    lane.waiting.unshift(live)
    this.wakeAt(live, time)
    this.pump(lane)
  }

  /** Ends one that runs, or takes one away that waits. */
  async end(live: LiveTurn, reason: CancelReason): Promise<void> {
    if (this.lanes.ofTurn(live).running === live) {
      live.stop(reason)
      await live.runEnded
    } else await this.#drop(live, 'cancelled', endedResult('CANCELLED', beforeItBegan(reason)))
    // It began meanwhile, is on its way to the disk, or its run was over and waits to be tried again.
    if (this.lanes.byId(live.turn.id) === live) await this.end(live, reason)
  }

  /** One whose event is over before it has begun never does. */
  async spare(live: LiveTurn): Promise<void> {
    if (this.lanes.ofTurn(live).running !== live) await this.#drop(live, 'cancelled', EVENT_OVER)
  }

  /** One that has not begun is over. */
  async #drop(live: LiveTurn, state: 'cancelled' | 'failed', result: TurnResultView): Promise<void> {
    const endedAt = isoTime(this.#now())
    const over: TurnRow = { ...live.turn, state, code: result.code, endedAt, result }
    if (!(await this.#parts.store.turns.change(over))) return
    live.turn = over
    live.tell({ type: 'result', state, ...result })
    this.#changed(live)
    this.leave(live)
  }

  #renew(): Promise<void> {
    return this.#claims.renew(this.#claimed())
  }

  #claimed(): readonly LiveTurn[] {
    return this.lanes.running().filter(({ turn }) => turn.state !== 'queued')
  }

  #changed({ turn, tries }: LiveTurn): void {
    if (this.#watchers.size === 0) return
    const summary = summaryOf(turn, { tries: tries ?? [] })
    for (const watcher of this.#watchers) watcher(summary)
  }

  #now(): number {
    return this.#parts.clock.now()
  }
}

/** A run that counts as one, and failed, is told with the next. */
function triesAfter(
  { turn, tries }: LiveTurn,
  after: TurnRow,
  { result, stderr }: AgentEnd,
  endedAt: string,
): readonly TurnTryView[] {
  const known = tries ?? []
  return after.attempt === turn.attempt ? known : withTry(known, { result, stderr, endedAt, attempt: turn.attempt })
}

function failedEnd(result: TurnResultView): AgentEnd {
  return { result, stderr: '', usage: { duration_ms: 0 } }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
