import type { IncomingMessage } from 'node:http'
import {
  type AgentRegistered,
  type AgentView,
  type ChanFlowReply,
  type CompletionView,
  DEFAULT_AGENT,
  type DeliveryView,
  type EventView,
  type Health,
  type SessionCancelled,
  type SessionTouched,
  type SessionView,
  type WebhookView,
} from '@string-os/protocol'
import { Connections } from './connections.ts'
import { defaultPort } from './daemon-address.ts'
import { ForeignDaemonError, IncompleteError, UnreachableError } from './errors.ts'
import { type FollowOptions, followEvents } from './events.ts'
import { type ExecResult, incompleteResult, readExecResult } from './exec-result.ts'
import { type Call, readJson, readText, refusal, send } from './request.ts'

export interface ClientOptions {
  /** Where the daemon listens on 127.0.0.1; by default `STRING_PORT`, else 3923. Not heeded beside `autoStart`. */
  readonly port?: number
  /** The agent to speak for; `default` by default. */
  readonly agent?: string
  /** What the daemon's record holds beside its port: it tells the daemon at once that this is its own user. */
  readonly key?: string
  /** Finds the user's own daemon, starts it where none runs, and tells its port. `@string-os/string` exports one. */
  readonly autoStart?: AutoStart
}

/** Where a daemon is, and what shows it that we are its own user. */
export interface DaemonAddress {
  readonly port: number
  readonly key?: string
}

/** Whoever answers vouches for the daemon: it is this user's, and holds the port. */
export type AutoStart = () => Promise<number | DaemonAddress>

export interface ExecOptions {
  /** Echoed in the answer. */
  readonly requestId?: string
  /** The caller's working directory: where `./` starts. */
  readonly cwd?: string
  /** The command came through MCP: waiting and running take less than a minute, or it is answered `BUSY`. */
  readonly via?: 'mcp'
  /** Aborting ends the command, with everything that it started, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** How long what is typed into a bash topic is waited for before it is answered `running`; the daemon's own time by default. */
  readonly waitMs?: number
  /** Whether the command ends when this process goes away; with a signal it does. */
  readonly cancelOnLeave?: boolean
}

export type ChanFlowOptions = Pick<ExecOptions, 'cwd' | 'signal' | 'cancelOnLeave'>

export interface AgentFields {
  readonly home?: string
  readonly allowedPaths?: readonly string[]
  readonly profile?: string
}

/** Speaks to one daemon for one agent. Nothing is sent twice: commands have effects, so trying again is the caller's to decide. */
export class StringClient {
  readonly agent: string
  readonly #connections = new Connections({
    // A daemon whose connection closed may come back as another: look again before the next command.
    onClose: (port) => port === this.#port && this.#forget(),
    isVouched: (port) => port === this.#vouched,
  })
  readonly #autoStart: AutoStart | undefined
  #port: number
  #key: string | undefined
  /** The port of which `autoStart` said whose it is. */
  #vouched: number | null = null
  #found: Promise<void> | null = null
  #ready: Promise<void> | null = null

  constructor({ port = defaultPort(), agent = DEFAULT_AGENT, key, autoStart }: ClientOptions = {}) {
    this.agent = agent
    this.#port = port
    this.#key = autoStart === undefined ? key : undefined
    this.#autoStart = autoStart
  }

  get port(): number {
    return this.#port
  }

  readonly agents = {
    list: async (): Promise<AgentView[]> => {
      const { agents } = await this.#json<{ agents: AgentView[] }>({ method: 'GET', path: '/agents' })
      return agents
    },
    /** Registers an agent, or changes the fields that are given. */
    register: (id: string, { home, allowedPaths, profile }: AgentFields = {}): Promise<AgentRegistered> =>
      this.#json({
        method: 'POST',
        path: '/agents',
        body: { agent_id: id, home, allowed_paths: allowedPaths, profile },
      }),
    remove: async (id: string): Promise<boolean> => {
      const path = `/agents/${encodeURIComponent(id)}`
      const { deleted } = await this.#json<{ deleted: boolean }>({ method: 'DELETE', path })
      return deleted
    },
  }

  readonly sessions = {
    /** The sessions of one agent, or of all. */
    list: async (agent?: string): Promise<SessionView[]> => {
      const query = agent === undefined ? '' : `?agent_id=${encodeURIComponent(agent)}`
      const { sessions } = await this.#json<{ sessions: SessionView[] }>({ method: 'GET', path: `/sessions${query}` })
      return sessions
    },
    open: (topic: string): Promise<SessionTouched> =>
      this.#json({ method: 'POST', path: '/sessions', body: { agent_id: this.agent, topic } }),
    close: async (topic: string): Promise<boolean> => {
      const path = `/sessions/${encodeURIComponent(this.agent)}/${encodeURIComponent(topic)}`
      const { deleted } = await this.#json<{ deleted: boolean }>({ method: 'DELETE', path })
      return deleted
    },
    /** Ends the command that runs in a topic, and with `all` those that wait; the session stays. Answers how many. */
    cancel: async (topic: string, { all = false }: { all?: boolean } = {}): Promise<number> => {
      const path = `/sessions/${encodeURIComponent(this.agent)}/${encodeURIComponent(topic)}/cancel`
      const { cancelled } = await this.#json<SessionCancelled>({ method: 'POST', path, body: { all } })
      return cancelled
    },
  }

  readonly webhook = {
    /** Where programs post events for the agent; made when there is none. */
    show: (): Promise<WebhookView> => this.#json({ method: 'GET', path: this.#webhookPath() }),
    /** A new URL; the old one is refused from now on. */
    rotate: (): Promise<WebhookView> => this.#json({ method: 'POST', path: this.#webhookPath() }),
  }

  /**
   * The agent's events as they come, each once and in order, until `signal` ends it. A broken stream is opened again.
   * Nothing is acknowledged: that is `/events.ack`.
   */
  events(given: FollowOptions | AbortSignal = {}): AsyncGenerator<EventView> {
    const options = given instanceof AbortSignal ? { signal: given } : given
    const connect = async (after: string | null): Promise<IncomingMessage> => {
      await this.ready()
      const headers = { 'X-Agent-Id': this.agent, Accept: 'text/event-stream' }
      return this.#send({
        method: 'GET',
        path: '/events/stream',
        headers: after === null ? headers : { ...headers, 'Last-Event-ID': after },
        signal: options.signal,
      })
    }
    return followEvents(connect, options)
  }

  /**
   * Runs one command. What the command answers is the result, whether ok or not; `STREAM_INCOMPLETE` when the connection
   * broke, so that it may have run. Thrown are errors that say it did not: `QueueError`, `UnreachableError`, `HttpError`.
   */
  async exec(topic: string, cmd: string, options: ExecOptions = {}): Promise<ExecResult> {
    const { requestId, cwd, via, waitMs, signal } = options
    const cancel_on_leave = cancelOnLeave(options)
    const body = { cmd, topic, request_id: requestId, cwd, via, cancel_on_leave, wait_ms: waitMs }
    const headers = { 'X-Agent-Id': this.agent, Accept: 'text/event-stream' }
    try {
      const response = await this.#command({ method: 'POST', path: '/exec', headers, body, signal })
      const { text } = await readText(response)
      signal?.throwIfAborted()
      const status = response.statusCode ?? 0
      if (status !== 200) throw refusal(status, text)
      return readExecResult(text, topic)
    } catch (error) {
      if (error instanceof IncompleteError) return incompleteResult(topic)
      throw error
    }
  }

  /**
   * Runs the blocks of a text that a model wrote. Which of them failed is in the reply, never thrown; `IncompleteError`
   * says that the connection broke, so that they may have run.
   */
  async chanflow(text: string, options: ChanFlowOptions = {}): Promise<ChanFlowReply> {
    const { cwd, signal } = options
    const body = { text, cwd, cancel_on_leave: cancelOnLeave(options) }
    const call = { method: 'POST', path: '/chanflow', headers: { 'X-Agent-Id': this.agent }, body, signal } as const
    return (await readJson(await this.#command(call), call)) as ChanFlowReply
  }

  /** What may stand where a line ends that somebody types. Nothing is run for it. */
  async complete(
    topic: string,
    text: string,
    options: Pick<ExecOptions, 'cwd' | 'signal'> = {},
  ): Promise<CompletionView> {
    const { cwd, signal } = options
    const headers = { 'X-Agent-Id': this.agent }
    await this.ready()
    return this.#json({ method: 'POST', path: '/complete', headers, body: { text, topic, cwd }, signal })
  }

  /** What became of messages to other channels, newest first: of one agent, or of all. */
  async deliveries(agent?: string): Promise<DeliveryView[]> {
    const query = agent === undefined ? '' : `?agent_id=${encodeURIComponent(agent)}`
    const call = { method: 'GET', path: `/deliveries${query}` } as const
    const { deliveries } = await this.#json<{ deliveries: DeliveryView[] }>(call)
    return deliveries
  }

  /** Of the daemon that is known so far: asking starts none. `ok` is false while its store is away. */
  health(): Promise<Health> {
    return this.#ask({ method: 'GET', path: '/health', accepts: 503 })
  }

  /** Whether a daemon answers. */
  async ping(): Promise<boolean> {
    try {
      return isStringd(await this.health())
    } catch (error) {
      if (isLost(error)) return false
      throw error
    }
  }

  async shutdown(): Promise<void> {
    await this.#ask({ method: 'POST', path: '/shutdown' })
    this.#forget()
  }

  /** A daemon answers and the agent is registered. Done once, before the first command. */
  ready(): Promise<void> {
    this.#ready ??= this.#prepare()
    return this.#ready
  }

  async #prepare(): Promise<void> {
    try {
      await this.#meet()
    } catch (error) {
      this.#forget()
      if (!isLost(error) || this.#autoStart === undefined) throw error
      // It was just stopping: whoever starts daemons will know. Nothing was sent that could not be sent again.
      await this.#meet()
    }
  }

  async #meet(): Promise<void> {
    await this.#find()
    if (!isStringd(await this.health())) throw notStringd(this.#port)
    await this.agents.register(this.agent)
  }

  /** Where the daemon is, before anything is sent to it. */
  #find(): Promise<void> {
    this.#found ??= this.#autoStart === undefined ? Promise.resolve() : this.#start(this.#autoStart)
    return this.#found
  }

  async #start(autoStart: AutoStart): Promise<void> {
    try {
      const found = await autoStart()
      const { port, key } = typeof found === 'number' ? { port: found, key: undefined } : found
      this.#port = port
      this.#key = key
      this.#vouched = port
    } catch (error) {
      this.#forget()
      throw error
    }
  }

  #forget(): void {
    this.#found = null
    this.#ready = null
    this.#vouched = null
    if (this.#autoStart !== undefined) this.#key = undefined
  }

  /** Sends something that has effects. A daemon that went away before it got anything is started anew, where we may. */
  async #command(call: Call): Promise<IncomingMessage> {
    call.signal?.throwIfAborted()
    await this.ready()
    call.signal?.throwIfAborted()
    try {
      return await this.#send(call)
    } catch (error) {
      if (!(error instanceof UnreachableError) || this.#autoStart === undefined) throw error
      await this.ready()
      return this.#send(call)
    }
  }

  #webhookPath(): string {
    return `/agents/${encodeURIComponent(this.agent)}/webhook`
  }

  #send(call: Call): Promise<IncomingMessage> {
    const headers = { ...call.headers, ...(this.#key === undefined ? {} : { 'X-String-Key': this.#key }) }
    return this.#watched(send({ port: this.#port, agent: this.#connections }, { ...call, headers }))
  }

  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isLost(error)) this.#forget()
      throw error
    }
  }

  async #json<T>(call: Call): Promise<T> {
    await this.#find()
    return this.#ask(call)
  }

  async #ask<T>(call: Call): Promise<T> {
    return (await this.#watched(this.#send(call).then((response) => readJson(response, call)))) as T
  }
}

/** Only what is asked for is said: a command whose caller leaves runs to its end. */
function cancelOnLeave({ signal, cancelOnLeave = signal !== undefined }: ExecOptions): true | undefined {
  return cancelOnLeave ? true : undefined
}

function isLost(error: unknown): boolean {
  return error instanceof UnreachableError || error instanceof IncompleteError
}

function isStringd({ ok, agents, sessions }: Partial<Health>): boolean {
  return typeof ok === 'boolean' && typeof agents === 'number' && typeof sessions === 'number'
}

function notStringd(port: number): ForeignDaemonError {
  return new ForeignDaemonError(`What listens on port ${port} is not stringd; set STRING_PORT to its port`)
}
