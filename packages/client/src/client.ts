import { Agent, type IncomingMessage } from 'node:http'
import {
  type AgentRegistered,
  type AgentView,
  type ChanFlowReply,
  type DeliveryView,
  type EventView,
  type Health,
  LIMITS,
  type SessionTouched,
  type SessionView,
  type WebhookView,
} from '@string-os/protocol'
import { UnreachableError } from './errors.ts'
import { type FollowOptions, followEvents } from './events.ts'
import { type ExecResult, readExecResult } from './exec-result.ts'
import { type Call, readText, refusal, send, sendJson } from './request.ts'

export interface ClientOptions {
  /** Where the daemon listens on 127.0.0.1; 3923 by default. */
  readonly port?: number
  /** The agent to speak for; `default` by default. */
  readonly agent?: string
  /** Starts a daemon when none answers, and tells its port. `@string-os/string` exports one. */
  readonly autoStart?: () => Promise<number>
}

export interface ExecOptions {
  /** Echoed in the answer. */
  readonly requestId?: string
  /** The caller's working directory: where `./` starts. */
  readonly cwd?: string
  /** The command came through MCP: a busy topic answers `BUSY` at once, and `/exec` ends after 50 s. */
  readonly via?: 'mcp'
  readonly signal?: AbortSignal
}

export interface AgentFields {
  readonly home?: string
  readonly allowedPaths?: readonly string[]
  readonly profile?: string
}

/** Speaks to one daemon for one agent. Nothing is sent twice: commands have effects, so trying again is the caller's to decide. */
export class StringClient {
  readonly agent: string
  readonly #connections = new Agent({ keepAlive: true })
  readonly #autoStart: (() => Promise<number>) | undefined
  #port: number
  #ready: Promise<void> | null = null

  constructor({ port = LIMITS.defaultPort, agent = 'default', autoStart }: ClientOptions = {}) {
    this.agent = agent
    this.#port = port
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
  events(options: FollowOptions = {}): AsyncGenerator<EventView> {
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
   * Runs one command. What the command answers is the result, whether ok or not. Thrown are `QueueError` (it did not
   * run), `UnreachableError` (no answer began) and `HttpError` (the request was refused).
   */
  async exec(topic: string, cmd: string, { requestId, cwd, via, signal }: ExecOptions = {}): Promise<ExecResult> {
    await this.ready()
    const response = await this.#send({
      method: 'POST',
      path: '/exec',
      headers: { 'X-Agent-Id': this.agent, Accept: 'text/event-stream' },
      body: { cmd, topic, request_id: requestId, cwd, via },
      signal,
    })
    const { text } = await readText(response)
    const status = response.statusCode ?? 0
    if (status !== 200) throw refusal(status, text)
    return readExecResult(text, topic)
  }

  /** Runs the blocks of a text that a model wrote. Which of them failed is in the reply, never thrown. */
  async chanflow(text: string, { cwd, signal }: Omit<ExecOptions, 'requestId'> = {}): Promise<ChanFlowReply> {
    await this.ready()
    const headers = { 'X-Agent-Id': this.agent }
    return this.#json({ method: 'POST', path: '/chanflow', headers, body: { text, cwd }, signal })
  }

  /** What became of messages to other channels, newest first: of one agent, or of all. */
  async deliveries(agent?: string): Promise<DeliveryView[]> {
    const query = agent === undefined ? '' : `?agent_id=${encodeURIComponent(agent)}`
    const call = { method: 'GET', path: `/deliveries${query}` } as const
    const { deliveries } = await this.#json<{ deliveries: DeliveryView[] }>(call)
    return deliveries
  }

  health(): Promise<Health> {
    return this.#json({ method: 'GET', path: '/health' })
  }

  /** Whether a daemon answers. */
  async ping(): Promise<boolean> {
    try {
      return (await this.health()).ok
    } catch (error) {
      if (error instanceof UnreachableError) return false
      throw error
    }
  }

  async shutdown(): Promise<void> {
    await this.#json({ method: 'POST', path: '/shutdown' })
    this.#ready = null
  }

  /** A daemon answers and the agent is registered. Done once, before the first command. */
  ready(): Promise<void> {
    this.#ready ??= this.#prepare()
    return this.#ready
  }

  async #prepare(): Promise<void> {
    try {
      if (this.#autoStart === undefined) await this.health()
      else if (!(await this.ping())) this.#port = await this.#autoStart()
      await this.agents.register(this.agent)
    } catch (error) {
      this.#ready = null
      throw error
    }
  }

  #webhookPath(): string {
    return `/agents/${encodeURIComponent(this.agent)}/webhook`
  }

  #send(call: Call): ReturnType<typeof send> {
    return this.#watched(send({ port: this.#port, agent: this.#connections }, call))
  }

  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      // The daemon may come back as another: look again before the next command.
      if (error instanceof UnreachableError) this.#ready = null
      throw error
    }
  }

  async #json<T>(call: Call): Promise<T> {
    return (await this.#watched(sendJson({ port: this.#port, agent: this.#connections }, call))) as T
  }
}
