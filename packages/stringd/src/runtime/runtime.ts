import { randomBytes } from 'node:crypto'
import {
  appOf,
  type CompletionView,
  type Failure,
  fail,
  type Hub,
  LIMITS,
  type MarkdownToken,
  type Result,
  type Topic,
} from '@string-os/protocol'
import type { Complete } from '../command/complete/complete.ts'
import type { CommandContext } from '../command/core/context.ts'
import type { Dispatch, ReadCommand } from '../command/dispatch.ts'
import { lookAt } from '../command/read/look-at.ts'
import { Notices } from '../events/notices.ts'
import type { HubData, RecentError } from '../hub/hub-data.ts'
import type { Log } from '../log.ts'
import type { TopicPackages } from '../packages/use/topic-packages.ts'
import type { TopicState } from '../session/topic-state.ts'
import { notAtPrompt } from '../shell/not-at-prompt.ts'
import type { Agent } from '../store/agents.ts'
import { FileLocks } from '../store/file-locks.ts'
import { homeSetting } from '../store/home-setting.ts'
import { StoreAway } from '../store/store.ts'
import { bounded } from './bounded.ts'
import { type AcrossTopics, type ContextParts, TopicContext } from './create-context.ts'
import {
  busy,
  dropped,
  type ExecCall,
  type ExecOutcome,
  refusedOutcome,
  tooManyTopics,
  type WatchCaller,
  waitOf,
} from './exec-call.ts'
import { hearWhoLeft } from './hear-who-left.ts'
import { nextStepsIn } from './next-steps.ts'
import { packageRows } from './package-rows.ts'
import { DAEMON_STOPPED, RunningCommand } from './running-command.ts'
import { newSlot, type Slot, stateOf, Topics } from './topics.ts'

export interface RuntimeParts extends ContextParts {
  readonly dispatch: Dispatch
  readonly complete: Complete
  readonly hubPage: (hub: Hub, data: HubData) => string
  /** What the hub pages tell about the daemon. */
  readonly system: () => HubData['system']
  readonly deliveries: (agentId: string) => Promise<HubData['deliveries']>
  /** The latest of an agent. */
  readonly turns: (agentId: string) => Promise<HubData['turns']>
  /** A topic came, went, or does something else than before. */
  readonly topicChanged: (agentId: string, topic: string, isGone: boolean) => void
  readonly log: Log
}

/** What somebody sees who looks at a topic. */
export interface TopicLook {
  readonly state: TopicState
  readonly text: string
  /** The text parsed, where it is Markdown. */
  readonly tokens: readonly MarkdownToken[] | null
  readonly shell: ReturnType<RuntimeParts['shells']['info']>
}

const NO_INBOX: HubData['inbox'] = { pending: 0, acked: 0, newest: [] }

/** The one way to run a command, whichever surface it came through. */
export class Runtime {
  readonly #parts: RuntimeParts
  readonly #topics = new Topics()
  readonly #errors: RecentError[] = []
  readonly #locks = new FileLocks()
  readonly #notices: Notices
  readonly #across: AcrossTopics = {
    locks: this.#locks,
    undos: this.#topics.undos,
    sessions: ({ id }) => this.sessions(id),
    closeApp: (from, name) => this.#closeApp(from, name),
    hubPage: async (hub, agent, packages) => this.#parts.hubPage(hub, await this.#hubData(hub, agent, packages)),
  }
  #stopping = false

  constructor(parts: RuntimeParts) {
    this.#parts = parts
    this.#notices = new Notices(async (agentId) => (await parts.inbox.counts(agentId)).pending)
    parts.inbox.onNews((agentId) => this.#notices.heard(agentId))
  }

  get topicCount(): number {
    return this.#topics.size
  }

  async exec(call: ExecCall): Promise<ExecOutcome> {
    const { agent } = call
    const read = call.read ?? this.read(call.command, call.topic)
    const { topic, immediate } = read
    if (this.#stopping) return dropped(topic)
    const touched = this.#topics.touch(agent.id, topic)
    if (touched === null) return tooManyTopics(topic)
    const { slot } = touched
    if (immediate === true) return this.#dispatch(slot, call, read, runningOf(call))
    if (immediate === 'placed' && call.shellSeen != null) return this.#look(slot, call, read)
    const { watchCaller } = call
    const whenBusy = isExclusive(slot, call) ? 'refuse' : call.whenBusy
    const job = await slot.queue.run(() => this.#run(slot, call, read), { whenBusy, watchCaller, waitMs: waitOf(call) })
    if (job.kind === 'ran') return job.value
    if (job.kind === 'busy' && call.shellAtPrompt === true) return this.#notAtPrompt(slot)
    if (job.kind === 'busy' || (job.kind === 'timeout' && call.deadline !== undefined)) return busy(topic, slot.running)
    if (job.kind === 'cancelled') return dropped(topic)
    return job.kind === 'left' ? { kind: 'left', topic } : { kind: job.kind, topic, running: slot.running }
  }

  #notAtPrompt({ agentId, topic, running }: Slot): ExecOutcome {
    const inShell = this.#parts.shells.info({ agentId, topic: topic.canonical })?.running
    const command = inShell?.command ?? running?.facts().command ?? 'another command'
    return refusedOutcome(topic, notAtPrompt(command, topic.canonical))
  }

  /** A text as a command: whoever must know before it runs where that will be, gives it to `exec` with the call. */
  read(command: string, topic: Topic): ReadCommand {
    return this.#parts.dispatch(command, topic)
  }

  /** What may stand where a text ends. It waits for nothing that runs in the topic, and makes no session. */
  async complete(call: Pick<ExecCall, 'agent' | 'topic' | 'command' | 'cwd' | 'watchCaller'>): Promise<CompletionView> {
    const running = runningOf(call)
    const unwatch = call.watchCaller?.(() => running.close())
    const slot = this.#topics.get(call.agent.id, call.topic) ?? newSlot(call.agent.id, call.topic)
    try {
      return await this.#parts.complete(call.command, this.#context(slot, { ...call, onlyLooks: true }, running))
    } finally {
      unwatch?.()
      running.end()
    }
  }

  /** What a topic shows now. It waits for nothing that runs there, and changes nothing; null without such a topic. */
  async look(agent: Agent, topic: Topic): Promise<TopicLook | null> {
    const slot = this.#topics.get(agent.id, topic)
    if (slot === undefined) return null
    const place = { agentId: agent.id, topic: topic.canonical }
    const shell = topic.type === 'bash' ? this.#parts.shells.info(place) : null
    const state = stateOf(slot)
    if (topic.type === 'bash') return { state, text: this.#parts.shells.screen(place), tokens: null, shell }
    const running = new RunningCommand('', null)
    try {
      const context = this.#context(slot, { agent, topic, command: '', cwd: null, onlyLooks: true }, running)
      return { state, ...(await lookAt(context)), shell }
    } finally {
      running.end()
    }
  }

  touch(agentId: string, topic: Topic): { created: boolean } | null {
    const touched = this.#topics.touch(agentId, topic)
    if (touched?.created === true) this.#changed(touched.slot)
    if (touched !== null) touched.slot.session.isUsed = true
    return touched
  }

  sessions(agentId?: string): TopicState[] {
    return this.#topics.slots(agentId).map(stateOf)
  }

  /**
   * Ends what runs in a topic, and with `all` what waits there; the session stays. Answers how many commands that were,
   * when all that they started is gone.
   */
  async cancel(agentId: string, topic: Topic, all: boolean): Promise<number> {
    const slot = this.#topics.get(agentId, topic)
    if (slot === undefined) return 0
    const waiting = all ? slot.queue.cancelWaiting() : 0
    const { running } = slot
    running?.stop()
    // A program in a bash topic goes on when the command that started it has been answered; who waits for it is told of this end.
    const stopping = this.#parts.shells.cancel({ agentId, topic: topic.canonical })
    const [inShell] = await Promise.all([stopping, running?.ended()])
    return waiting + (running !== null || inShell ? 1 : 0)
  }

  /** Ends a topic from outside: its running command and all that wait are answered `CANCELLED`. */
  async close(agentId: string, topic: Topic): Promise<boolean> {
    const slot = this.#topics.get(agentId, topic)
    if (slot === undefined) return false
    await this.#end(slot)
    return true
  }

  async closeAgent(agentId: string): Promise<void> {
    this.#notices.forget(agentId)
    await Promise.all(this.#topics.slots(agentId).map((slot) => this.#end(slot)))
  }

  /** Waits for what runs in the shell of a topic, and ends it when its caller leaves before; false: nothing runs. */
  async attend(agentId: string, topic: Topic, watchCaller: WatchCaller): Promise<boolean> {
    const shell = this.#parts.shells.attended({ agentId, topic: topic.canonical })
    if (shell === null) return false
    const unwatch = watchCaller(shell.end)
    try {
      await shell.over()
      return true
    } finally {
      unwatch()
    }
  }

  /** Ends all topics; from now on every command is answered `CANCELLED`. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const slot of this.#topics.slots()) this.#cancel(slot, DAEMON_STOPPED)
    await Promise.all([this.#locks.close(), this.#parts.shells.endAll()])
  }

  async #end(slot: Slot): Promise<void> {
    this.#cancel(slot)
    await this.#parts.shells.endTopic({ agentId: slot.agentId, topic: slot.topic.canonical })
  }

  #cancel(slot: Slot, why?: Failure): void {
    this.#topics.forget(slot)
    this.#changed(slot)
    slot.queue.cancelWaiting()
    slot.running?.close(why)
    for (const look of slot.looks) look.close(why)
  }

  async #renew(slot: Slot): Promise<void> {
    for (const look of slot.looks) look.close()
    await this.#parts.shells.endTopic({ agentId: slot.agentId, topic: slot.topic.canonical })
    this.#topics.renew(slot)
    this.#changed(slot)
  }

  #changed(slot: Slot): void {
    const { agentId, topic } = slot
    this.#parts.topicChanged(agentId, topic.canonical, this.#topics.get(agentId, topic) !== slot)
  }

  /** Runs a command while others may stop it. One that does not heed that is answered for in the end. */
  async #run(slot: Slot, call: ExecCall, read: ReadCommand): Promise<ExecOutcome> {
    call.onStart?.()
    const running = runningOf(call)
    slot.running = running
    this.#changed(slot)
    const unwatch = call.cancelOnLeave === true ? call.watchCaller?.(() => running.stop()) : undefined
    try {
      return await this.#untilGivenUp(slot, call, read, running)
    } finally {
      unwatch?.()
      slot.running = null
      running.end()
      this.#changed(slot)
    }
  }

  #untilGivenUp(slot: Slot, call: ExecCall, read: ReadCommand, running: RunningCommand): Promise<ExecOutcome> {
    return new Promise((resolve, reject) => {
      running.onGiveUp = (failure) => resolve(refusedOutcome(slot.topic, failure))
      this.#dispatch(slot, call, read, running).then(resolve, reject)
    })
  }

  /** Waits beside what runs, and as long as its caller does. One who typed that at the prompt takes it with them, if they say so. */
  async #look(slot: Slot, call: ExecCall, read: ReadCommand): Promise<ExecOutcome> {
    call.onStart?.()
    const running = runningOf(call)
    slot.looks.add(running)
    const { agentId, topic } = slot
    const isTheirs = call.cancelOnLeave === true && call.shellAtPrompt === true
    const end = isTheirs ? this.#parts.shells.enderOf({ agentId, topic: topic.canonical }) : null
    const unwatch = call.watchCaller?.(() => {
      running.close()
      end?.()
    })
    try {
      return await this.#untilGivenUp(slot, call, read, running)
    } finally {
      if (isTheirs) await hearWhoLeft()
      unwatch?.()
      slot.looks.delete(running)
      running.end()
    }
  }

  async #dispatch(slot: Slot, call: ExecCall, read: ReadCommand, running: RunningCommand): Promise<ExecOutcome> {
    const { session, topic } = slot
    const started = performance.now()
    let result: Result
    try {
      result = await read.run(this.#context(slot, call, running))
    } catch (error) {
      result = error instanceof StoreAway ? storeAway(error) : this.#internalError(slot, error)
    }
    // Whatever a command says of being cut off: why it was is known here. What had come to its end has come to its end.
    if (!result.ok && running.failure !== null) result = withOutput(running.failure, result)
    if (!result.ok) this.#report(slot, read.name, result.code, performance.now() - started)
    result = this.#bounded(slot, call, result.ok ? result : nextStepsIn(topic, result))
    // What was cut off has run.
    session.isUsed ||= result.ok || result.content !== null || running.failure !== null
    const document = session.closed ? null : session.shown
    const mode = session.closed ? null : session.mode
    const notice = call.announce === true ? await this.#notice(slot, call) : null
    if (session.closed) await this.#renew(slot)
    else if (this.#isUnused(slot, running)) this.#topics.forget(slot)
    return { kind: 'done', result, topic, document, mode, notice }
  }

  /** Nothing has come of it but refusals: a name that was mistyped is no topic. */
  #isUnused({ agentId, topic, session, queue, running: other }: Slot, running: RunningCommand): boolean {
    if (session.isUsed || queue.length > 0 || (other !== null && other !== running)) return false
    return this.#parts.shells.info({ agentId, topic: topic.canonical }) === null
  }

  async #notice({ agentId, session, topic }: Slot, { command }: ExecCall): Promise<string | null> {
    const isFirst = !session.isKnown
    session.isKnown = true
    try {
      if (topic.canonical !== 'event' && !/^\/{1,2}events\b/.test(command))
        return await this.#notices.line(agentId, isFirst)
      await this.#notices.seen(agentId)
    } catch (error) {
      this.#parts.log.warn('What waits could not be counted', { agent: agentId, cause: String(error) })
    }
    return null
  }

  /** One place for all commands and surfaces: what an answer has no room for is kept until the topic is closed. */
  #bounded(slot: Slot, { agent, answerBytes }: ExecCall, result: Result): Result {
    const { agentId, topic } = slot
    // The topic was closed: nobody waits for it any more, and nothing would remove what is kept.
    if (this.#topics.get(agentId, topic) !== slot) return result
    const place = { agentId, topic: topic.canonical, home: agent.home }
    return bounded(result, answerBytes ?? LIMITS.answerBytes, (text) => this.#parts.shells.keep(place, text).where)
  }

  /** What is our own fault ends here: the log has it, the caller gets its id. */
  #internalError({ agentId, topic }: Slot, error: unknown): Result {
    const id = randomBytes(6).toString('hex')
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#parts.log.error('A command threw', { id, agent: agentId, topic: topic.canonical, cause })
    return fail('INTERNAL_ERROR', `String failed at this command; the log has it as ${id}`, 'string logs')
  }

  #context(slot: Slot, call: ExecCall, running: RunningCommand): CommandContext {
    return TopicContext.of(this.#parts, this.#across, { slot, call, running })
  }

  async #closeApp(from: Slot, name: string): Promise<void> {
    const isOf = ({ topic }: Slot): boolean => appOf(topic)?.name === name
    const others = this.#topics.slots(from.agentId).filter((slot) => slot !== from && isOf(slot))
    if (isOf(from)) from.session.closed = true
    await Promise.all(others.map((slot) => this.#end(slot)))
  }

  async #hubData(hub: Hub, agent: Agent, packages: TopicPackages): Promise<HubData> {
    const { id, home, allowedPaths, createdAt } = agent
    const own = homeSetting(home, 'profile.yaml')
    const profile = agent.profile ?? (own.state === 'there' ? own.path : null)
    return {
      system: this.#parts.system(),
      agent: { id, home, allowedPaths, profile, createdAt },
      sessions: this.sessions(id).map(({ topic, isRunning, document }) => ({
        topic,
        isRunning,
        uri: document?.uri ?? null,
      })),
      shells: this.#topics.slots(id).flatMap(({ topic }) => {
        const info = this.#parts.shells.info({ agentId: id, topic: topic.canonical })
        return info === null ? [] : [{ topic: topic.canonical, ...info }]
      }),
      inbox: hub === 'event' ? await this.#inboxOf(id) : NO_INBOX,
      hasWebhook: agent.webhookToken !== undefined,
      turns: hub === 'agent' ? await this.#parts.turns(id) : [],
      deliveries: hub === 'system' ? await this.#deliveriesOf(id) : [],
      errors: this.#errors.filter((error) => error.agent === id).toReversed(),
      ...packageRows(packages, home),
    }
  }

  async #inboxOf(agentId: string): Promise<HubData['inbox']> {
    const { inbox } = this.#parts
    return { ...(await inbox.counts(agentId)), newest: await inbox.newest(agentId, false, LIMITS.listedEvents) }
  }

  /** The page of the system tells that the store is away: it is there without it. */
  async #deliveriesOf(agentId: string): Promise<HubData['deliveries']> {
    if (!this.#parts.system().store.ok) return []
    return (await this.#parts.deliveries(agentId)).slice(0, LIMITS.hintedNames)
  }

  #report({ agentId: agent, topic: { canonical: topic } }: Slot, command: string, code: string, ms: number): void {
    this.#errors.push({ time: new Date().toISOString(), agent, topic, command, code })
    if (this.#errors.length > LIMITS.recentErrors) this.#errors.shift()
    this.#parts.log.info('A command failed', { agent, topic, command, code, ms: Math.round(ms) })
  }
}

function storeAway({ message, isDoubtful }: StoreAway): Failure {
  const stored = isDoubtful ? '; it is not known whether this was stored' : ''
  return fail('STORE_AWAY', `The store cannot be reached: ${message}${stored}`, 'Send it again in a moment')
}

/** It is typed at the prompt or not at all: only the end of what is being stopped is waited for. */
function isExclusive({ topic, running, queue }: Slot, { shellAtPrompt }: ExecCall): boolean {
  if (shellAtPrompt !== true || topic.type !== 'bash') return false
  return running?.failure == null || queue.length > 0
}

function runningOf({ command, requestId = null }: ExecCall): RunningCommand {
  return new RunningCommand(command, requestId)
}

/** What a program had printed until then is not lost. */
function withOutput(why: Failure, { content, data, isPrivate = false }: Failure): Failure {
  const told = data === undefined ? why : { ...why, data }
  return content === null ? told : { ...told, content, isPrivate }
}
