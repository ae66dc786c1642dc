import {
  type AgentRow,
  type ChanFlowReply,
  type CompletionView,
  DEFAULT_AGENT,
  type DeliveryView,
  type DoctorView,
  type EventView,
  type Health,
  type LogEntry,
  type OverviewView,
  parseAttachments,
  type TurnEvent,
  type UsageView,
  type WebhookPeek,
  type WebhookView,
} from '@string-os/protocol'
import { agentCalls } from './agent-calls.ts'
import { approvalCalls } from './approval-calls.ts'
import { atCaller } from './at-caller.ts'
import { type Answer, brokenOff, type Call, readJson, refusal, type Transport } from './call.ts'
import { type Caller, pathOf, queryOf } from './calls.ts'
import type { DataOf } from './command-data.ts'
import { ForeignDaemonError, HttpError, IncompleteError, isLost, UnreachableError, withoutReason } from './errors.ts'
import { type FollowOptions, followEvents } from './events.ts'
import { type ExecResult, incompleteResult, readExecResult } from './exec-result.ts'
import { fleetCalls } from './fleet-calls.ts'
import { inboxCalls, outboxCalls } from './message-calls.ts'
import { given, givenShell, known } from './option-names.ts'
import type {
  ChanFlowOptions,
  CompleteOptions,
  ExecOptions,
  LogFilter,
  OverviewOptions,
  RunOptions,
  TurnOptions,
  UsageFilter,
} from './options.ts'
import { type RunResult, runToEnd } from './run.ts'
import { cancelOf, sessionCalls } from './session-calls.ts'
import { isoTime, turnCalls } from './turn-calls.ts'
import { followTurn, resumeTurn } from './turns.ts'
import { agentMeant, agentMeantBy, unknownAgent } from './unknown-agent.ts'
import { untilAborted, whileAlive, whileAnswered } from './until-aborted.ts'
import { type WatchAllOptions, type WatchMessage, watchAll } from './watch.ts'

/** Speaks to one daemon for one agent. Nothing is sent twice: commands have effects, so trying again is the caller's to decide. */
export class DaemonClient {
  readonly agent: string
  readonly #transport: Transport
  readonly #agentFirst: AgentFirst
  #met: Promise<void> | null = null
  #ready: Promise<void> | null = null

  constructor(transport: Transport, agent: string = DEFAULT_AGENT, agentFirst: AgentFirst = 'make') {
    this.agent = agent
    this.#transport = transport
    this.#agentFirst = agentFirst
    transport.onClose = () => this.#forget()
  }

  readonly agents = agentCalls(this.#caller())
  readonly #listAgents = (): Promise<AgentRow[]> => this.agents.list()

  /** Turns of every agent. */
  readonly turns = turnCalls(this.#caller())

  /** Questions of every agent to people. */
  readonly approvals = approvalCalls(this.#caller())

  /** The daemons that share a store with this one. */
  readonly fleet = fleetCalls(this.#caller())

  /** Events of every agent. */
  readonly inbox = inboxCalls(this.#caller())

  /** Messages of every agent to other channels. */
  readonly outbox = outboxCalls(this.#caller())

  /** Topics of the agent. */
  readonly sessions = sessionCalls(this.#caller(), () => this.agent)

  readonly webhook = {
    /** Where programs post events for the agent; made when there is none. */
    show: (): Promise<WebhookView> => this.#json({ method: 'GET', path: this.#webhookPath() }),
    /** Whether there is one, without its secret; none is made. */
    peek: (): Promise<WebhookPeek> => this.#json({ method: 'GET', path: `${this.#webhookPath()}?peek=1` }),
    /** A new URL; the old one is refused from now on. */
    rotate: (): Promise<WebhookView> => this.#json({ method: 'POST', path: this.#webhookPath() }),
  }

  /**
   * The agent's events as they come, each once and in order, until `signal` ends it. A broken stream is opened again.
   * Nothing is acknowledged: that is `/events.ack`.
   */
  events(given: FollowOptions | AbortSignal = {}): AsyncGenerator<EventView> {
    const options = given instanceof AbortSignal ? { signal: given } : known('events', given)
    const connect = async (after: string | null, isAgain: boolean): Promise<Answer> => {
      await untilAborted(options.signal, async () => {
        if (isAgain) await this.#meet(true)
        await this.ready()
      })
      const headers = { ...STREAM, 'X-Agent-Id': this.agent }
      return this.#send({
        method: 'GET',
        path: '/events/stream',
        headers: after === null ? headers : { ...headers, 'Last-Event-ID': after },
        signal: options.signal,
      })
    }
    return agentMeantBy(this.#listAgents, followEvents(connect, options), options.signal)
  }

  /**
   * Runs one command. What the command answers is the result, whether ok or not; `STREAM_INCOMPLETE` when the connection
   * broke, so that it may have run. It is one request: in a bash topic what takes longer than `waitMs` is answered with
   * `data.running` true, and goes on (`run` waits for its end); `/exec` is ended after 120 s. Thrown are errors that say it did not: `QueueError`, `UnreachableError`, `HttpError`.
   */
  async exec<const Topic extends string, const Cmd extends string>(
    topic: Topic,
    cmd: Cmd,
    options: ExecOptions = {},
  ): Promise<ExecResult<DataOf<Topic, Cmd>>> {
    given('exec', { topic, cmd })
    const { requestId, via, waitMs, seen, atPrompt, styles, drawn, pagers, signal } = known('exec', options)
    const cwd = this.#folder(options)
    const cancel_on_leave = cancelOnLeave(options)
    const body = {
      cmd,
      topic,
      request_id: requestId,
      cwd,
      via,
      cancel_on_leave,
      wait_ms: waitMs,
      seen,
      at_prompt: atPrompt,
      styles,
      drawn,
      pagers,
    }
    const headers = { 'X-Agent-Id': this.agent, Accept: 'text/event-stream' }
    try {
      const call = { method: 'POST', path: '/exec', headers, body, signal } as const
      const text = await agentMeant(this.#listAgents, () => this.#commandText(call), signal)
      return readExecResult<DataOf<Topic, Cmd>>(text, topic)
    } catch (error) {
      if (error instanceof IncompleteError) return incompleteResult(topic)
      throw error
    }
  }

  /**
   * Runs a command in the shell of a topic `bash:NAME` and waits for its end, however long that takes; `BUSY` where something runs in
   * that shell, and nothing was typed. Thrown is what `exec` throws.
   */
  async run<const Topic extends string>(
    topic: WithShell<Topic>,
    command: string,
    options: RunOptions = {},
  ): Promise<RunResult> {
    givenShell(topic, command)
    const { signal } = known('run', options)
    // What is aborted before anything was typed has nothing to end. That a connection broke is for the command to say.
    await untilAborted(signal, () => this.ready().catch(throwUnlessBroken))
    const shell = {
      exec: (text: string, more: ExecOptions) =>
        this.exec<`bash:${string}`, '//wait'>(topic as `bash:${string}`, text as '//wait', more),
      stop: (limit: AbortSignal | undefined) => this.#json({ ...cancelOf(this.agent, topic), signal: limit }),
      attend: (signal: AbortSignal) =>
        this.#transport.send({ method: 'POST', path: pathOf(['sessions', this.agent, topic, 'attend']), signal }),
    }
    return runToEnd(shell, command, options)
  }

  /**
   * Runs the blocks of a text that a model wrote. Which of them failed is in the reply, never thrown; `IncompleteError`
   * says that the connection broke, so that they may have run.
   */
  async chanflow(text: string, options: ChanFlowOptions = {}): Promise<ChanFlowReply> {
    given('chanflow', { text })
    const { signal } = known('chanflow', options)
    const body = { text, cwd: this.#folder(options), cancel_on_leave: cancelOnLeave(options) }
    const call = { method: 'POST', path: '/chanflow', headers: { 'X-Agent-Id': this.agent }, body, signal } as const
    const asked = (): Promise<unknown> =>
      this.#whileAlive(call, async (watched) => readJson(await this.#command(watched), watched))
    return (await agentMeant(this.#listAgents, asked, signal)) as ChanFlowReply
  }

  /** What may stand where a line ends that somebody types. Nothing is run for it. */
  async complete(topic: string, text: string, options: CompleteOptions = {}): Promise<CompletionView> {
    given('complete', { topic, text })
    const { signal } = known('complete', options)
    const cwd = this.#folder(options)
    const headers = { 'X-Agent-Id': this.agent }
    await untilAborted(signal, () => this.ready())
    return this.#json({ method: 'POST', path: '/complete', headers, body: { text, topic, cwd }, signal })
  }

  /**
   * Gives the agent a message and tells what its turn says, until `result`, which is the last. A turn that fails is a result
   * too. A connection that breaks is opened again where it broke; the message is sent once. Leaving the loop does not cancel
   * the turn: `turns.cancel(turn_id)` does. Thrown are `QueueError` and `HttpError`, which say that there is no turn, and
   * `IncompleteError`: there may be one.
   */
  turn(message: string, options: TurnOptions = {}): AsyncGenerator<TurnEvent> {
    given('turn', { message })
    const { session, from, attachments, requestId, signal, reopenMs, onLost } = known('turn', options)
    const files = parseAttachments(attachments ?? [])
    if (!files.ok) throw new TypeError(`turn: ${files.error}`)
    const body = { message, session, from, attachments, request_id: requestId }
    const call = {
      method: 'POST',
      path: pathOf(['agents', this.agent, 'turns']),
      headers: STREAM,
      body,
      signal,
    } as const
    const { stream } = this.#caller()
    const news = followTurn({
      // One that is made by its first command is there for its first message, too.
      begin: () => this.#command(call, () => (this.#isMade ? this.ready() : this.#meet())),
      resume: resumeTurn(stream, signal),
      signal,
      reopenMs,
      onLost,
    })
    return agentMeantBy(this.#listAgents, news, signal)
  }

  /**
   * What changes, over all agents, and the text of the turns that are followed, until `signal` ends it. A stream that breaks is
   * opened again where it broke, also over restarts of the daemon.
   */
  watch(options: WatchAllOptions = {}): AsyncGenerator<WatchMessage> {
    return watchAll(this.#caller().stream, known('watch', options))
  }

  /** What turns have cost, as far as agents say it. */
  async usage(filter: UsageFilter = {}): Promise<UsageView[]> {
    const { by, since } = known('usage', filter)
    const call = { method: 'GET', path: `/usage${queryOf({ by, since: isoTime(since) })}` } as const
    const { usage } = await this.#json<{ usage: UsageView[] }>(call)
    return usage
  }

  /** What became of messages to other channels, newest first: of one agent, or of all. */
  async deliveries(agent?: string): Promise<DeliveryView[]> {
    const query = agent === undefined ? '' : `?agent_id=${encodeURIComponent(agent)}`
    const call = { method: 'GET', path: `/deliveries${query}` } as const
    const { deliveries } = await this.#json<{ deliveries: DeliveryView[] }>(call)
    return deliveries
  }

  /** The end of the daemon's log, newest first. */
  async log(filter: LogFilter = {}): Promise<LogEntry[]> {
    const { limit, before, since, level } = known('log', filter)
    const query = queryOf({ limit, before: isoTime(before), since: isoTime(since), level })
    const { log } = await this.#json<{ log: LogEntry[] }>({ method: 'GET', path: `/log${query}` })
    return log
  }

  /** What runs, what waits for a person and what went wrong, over all agents; without listing them. */
  async overview(options: OverviewOptions = {}): Promise<OverviewView> {
    const { all } = known('overview', options)
    return this.#json({ method: 'GET', path: `/overview${queryOf({ all: all === true ? 1 : undefined })}` })
  }

  /** What the daemon finds out about itself: its store, disk, shells, agents and channels. */
  doctor(): Promise<DoctorView> {
    return this.#json({ method: 'GET', path: '/doctor' })
  }

  /** `ok` is false while its store is away. */
  health(): Promise<Health> {
    return this.#afterFinding({}, this.#transport.find, () => this.#whoIsThere())
  }

  /** Whether a daemon answers: asking starts none. */
  async ping(): Promise<boolean> {
    try {
      await this.#lookAnew()
      await this.#whoIsThere()
      return true
    } catch (error) {
      if (isLost(error) || (error instanceof ForeignDaemonError && error.hasAnswered)) return false
      throw error
    }
  }

  /** Ends the daemon: where none runs none is started for it, and that is an `UnreachableError`. */
  async shutdown(): Promise<void> {
    const asked = async (call: Call): Promise<void> => {
      await this.#lookAnew()
      await this.#whoIsThere()
      await this.#ask(call)
    }
    await this.#whileAlive({ method: 'POST', path: '/shutdown' }, asked).catch((error: unknown) => {
      if (!(error instanceof UnreachableError)) throw error
      throw new UnreachableError(error.message, { cause: error.cause, next: NOTHING_TO_END })
    })
    this.#forget()
  }

  /** Where the daemon is that every other call would speak to. */
  async #lookAnew(): Promise<void> {
    if (this.#transport.isUnsure) await this.#transport.look()
  }

  /** A daemon answers and the agent exists, as far as that is ours to see to. Done once, before the first command. */
  ready(): Promise<void> {
    this.#ready ??= this.#prepare(async () => {
      await this.#greet()
      if (this.#agentFirst === 'make') await this.agents.register(this.agent)
      if (this.#agentFirst === 'check') await agentMeant(this.#listAgents, () => this.#checkAgent())
    })
    return this.#ready
  }

  async #checkAgent(): Promise<void> {
    const { created: isMissing } = await this.agents.check(this.agent)
    if (isMissing) throw unknownAgent(this.agent)
  }

  /** A daemon answers, and is one. Where a stream only goes on, none is started: whoever stopped it meant it. */
  #meet(isAgain = false): Promise<void> {
    return this.#prepare(async () => {
      if (isAgain) await this.#transport.look()
      await this.#greet()
    })
  }

  async #prepare(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#forget()
      if (!isLost(error) || !this.#transport.canFindAnother) throw error
      // It was just stopping: whoever starts daemons will know. Nothing was sent that could not be sent again.
      await work()
    }
  }

  /** By whoever speaks for it first. The default one is there for its first command, and has no profile that could answer a message. */
  get #isMade(): boolean {
    return this.#agentFirst === 'make' && this.agent !== DEFAULT_AGENT
  }

  #greet(): Promise<void> {
    this.#met ??= this.#transport.find().then(async () => {
      await this.#whoIsThere()
    })
    return this.#met
  }

  /** A daemon may end just when it is asked: who is still there then, and says nothing again, is none. */
  async #whoIsThere(): Promise<Health> {
    for (let isAgain = false; ; isAgain = true) {
      try {
        const health = await whileAnswered(this.#transport.silent, (signal) =>
          this.#asked<Health>({ ...HEALTH, signal }),
        )
        if (isStringd(health)) return health
        throw atCaller(this.#transport.notStringd())
      } catch (error) {
        if (isNoRefusalOfOurs(error)) throw atCaller(this.#transport.notStringd())
        if (!(error instanceof IncompleteError)) throw error
        if (isAgain) throw atCaller(this.#transport.notStringd())
      }
    }
  }

  #forget(): void {
    this.#met = null
    this.#ready = null
    this.#transport.forget()
  }

  /** Sends something that has effects. A daemon that went away before it got anything is started anew, where we may. */
  async #command(call: Call, prepare: () => Promise<void> = () => this.ready()): Promise<Answer> {
    return this.#afterFinding(call, prepare, () => this.#send(call))
  }

  /** Where no connection came about nothing was sent: a daemon that can be found anew is told instead. */
  async #afterFinding<T>(
    { signal }: Pick<Call, 'signal'>,
    find: () => Promise<void>,
    send: () => Promise<T>,
  ): Promise<T> {
    const found = async (): Promise<void> => {
      await untilAborted(signal, find)
      signal?.throwIfAborted()
    }
    await found()
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof UnreachableError) || !this.#transport.canFindAnother) throw error
      await found()
      return send()
    }
  }

  #commandText(call: Call): Promise<string> {
    return this.#whileAlive(call, async (watched) => {
      const response = await this.#command(watched)
      const { text } = await response.text()
      watched.signal?.throwIfAborted()
      if (response.status !== 200) throw refusal(response, text)
      return text
    })
  }

  #caller(): Caller {
    return {
      json: (call) => this.#json(call),
      absolute: (path) => this.#transport.absolute(path),
      stream: async (path, signal, isAgain) => {
        await untilAborted(signal, () => this.#meet(isAgain))
        return this.#send({ method: 'GET', path, headers: STREAM, signal })
      },
    }
  }

  #folder({ cwd }: { readonly cwd?: string | undefined }): string | undefined {
    return cwd === undefined ? undefined : this.#transport.absolute(cwd)
  }

  #webhookPath(): string {
    return `/agents/${encodeURIComponent(this.agent)}/webhook`
  }

  #send(call: Call): Promise<Answer> {
    return this.#watched(this.#transport.send(call))
  }

  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isLost(error)) this.#forget()
      throw atCaller(error)
    }
  }

  async #json<T>(call: Call): Promise<T> {
    return this.#whileAlive(call, (watched) =>
      this.#afterFinding(
        watched,
        () => this.#meet(),
        () => this.#ask<T>(watched),
      ),
    )
  }

  /** What takes long is waited for, and a daemon that hangs is not: what it was sent may be done once it goes on. */
  #whileAlive<T>(call: Call, ask: (watched: Call) => Promise<T>): Promise<T> {
    const { method, path } = call
    const probe = async (): Promise<void> => {
      const silent = this.#transport.silent()
      const isAsked = (signal: AbortSignal): Promise<unknown> =>
        this.#transport.send({ ...HEALTH, signal }).then((answer) => answer.text())
      const said = await whileAnswered(() => silent, isAsked).catch((error: unknown) => error)
      // Whatever else is wrong the call itself will say.
      if (said === silent) throw atCaller(method === 'GET' ? silent : brokenOff(method, path, silent))
    }
    return whileAlive(call.signal, probe, (signal) => ask({ ...call, signal }))
  }

  /** What breaks off may be no stringd at all, which who is there then tells. */
  async #ask<T>(call: Call): Promise<T> {
    try {
      return await this.#asked<T>(call)
    } catch (error) {
      if (error instanceof IncompleteError)
        await untilAborted(call.signal, () => this.#whoIsThere().catch(throwForeign))
      throw error
    }
  }

  async #asked<T>(call: Call): Promise<T> {
    const answer = (): Promise<unknown> => this.#watched(this.#send(call).then((response) => readJson(response, call)))
    return (await agentMeant(this.#listAgents, answer, call.signal)) as T
  }
}

/** A topic whose name is written out has a shell; of one that is known at run time that is looked at then. */
type WithShell<Topic extends string> = string extends Topic
  ? Topic
  : Topic extends `bash:${string}`
    ? Topic
    : `bash:${string}`

/** What becomes of the agent before its first command: it is made, looked for, or left to what the daemon says to the command. */
type AgentFirst = 'make' | 'check' | 'leave'

const HEALTH = { method: 'GET', path: '/health', accepts: 503 } as const
const NOTHING_TO_END =
  'Nothing runs on that port, so there is nothing to end; `string status` tells where the daemon is'
const STREAM = { Accept: 'text/event-stream' }

/** Only what is asked for is said: a command whose caller leaves runs to its end. */
function cancelOnLeave({ signal, cancelOnLeave = signal !== undefined }: ExecOptions): true | undefined {
  return cancelOnLeave ? true : undefined
}

function throwUnlessBroken(error: unknown): void {
  if (!(error instanceof IncompleteError)) throw error
}

function throwForeign(error: unknown): void {
  if (error instanceof ForeignDaemonError) throw error
}

/** A daemon of ours may refuse us, but gives the reason, and never says that it has no such page. */
function isNoRefusalOfOurs(error: unknown): boolean {
  return error instanceof HttpError && (error.status === 404 || error.message === withoutReason(error.status))
}

function isStringd({ ok, agents, sessions }: Partial<Health>): boolean {
  return typeof ok === 'boolean' && typeof agents === 'number' && typeof sessions === 'number'
}
