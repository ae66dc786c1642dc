import { randomBytes } from 'node:crypto'
import {
  type DeliveryView,
  fail,
  type Hub,
  LIMITS,
  type Result,
  type SessionView,
  shownCommand,
  type Topic,
} from '@string-os/protocol'
import type { Dispatch, ReadCommand } from '../command/dispatch.ts'
import type { HubData, RecentError } from '../hub/hub-data.ts'
import type { Log } from '../log.ts'
import type { CommandContext } from '../session/context.ts'
import type { TopicPackages } from '../session/topic-packages.ts'
import type { Agent } from '../store/agents.ts'
import { FileLocks } from '../store/file-locks.ts'
import { bounded } from './bounded.ts'
import { type ContextParts, createContext } from './create-context.ts'
import { busy, cancelled, type ExecCall, type ExecOutcome, tooManyTopics } from './exec-call.ts'
import { packageRows } from './package-rows.ts'
import { type Slot, Topics, viewSlot } from './topics.ts'

export interface RuntimeParts extends ContextParts {
  readonly dispatch: Dispatch
  readonly hubPage: (hub: Hub, data: HubData) => string
  /** What the hub pages tell about the daemon. */
  readonly system: () => HubData['system']
  readonly deliveries: (agentId: string) => readonly DeliveryView[]
  readonly log: Log
}

/** The one way to run a command, whichever surface it came through. */
export class Runtime {
  readonly #parts: RuntimeParts
  readonly #topics = new Topics()
  readonly #errors: RecentError[] = []
  readonly #locks = new FileLocks()
  #stopping = false

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  get topicCount(): number {
    return this.#topics.size
  }

  async exec(call: ExecCall): Promise<ExecOutcome> {
    const { agent } = call
    const { topic, immediate, run } = this.#parts.dispatch(call.command, call.topic)
    if (this.#stopping) return cancelled(topic)
    const touched = this.#topics.touch(agent.id, topic)
    if (touched === null) return tooManyTopics(topic)
    const { slot } = touched
    if (immediate) return this.#dispatch(slot, call, run)
    const job = await slot.queue.run(() => this.#run(slot, call, run), call)
    if (job.kind === 'ran') return job.value
    if (job.kind === 'busy') return busy(topic)
    return job.kind === 'cancelled' ? cancelled(topic) : { kind: job.kind, topic }
  }

  /** Where a command sent to `topic` runs. */
  topicOf(command: string, topic: Topic): Topic {
    return this.#parts.dispatch(command, topic).topic
  }

  touch(agentId: string, topic: Topic): { created: boolean } | null {
    return this.#topics.touch(agentId, topic)
  }

  sessions(agentId?: string): SessionView[] {
    return this.#topics.slots(agentId).map(viewSlot)
  }

  /** Ends a topic from outside: its running command and all that wait are answered `CANCELLED`. */
  async close(agentId: string, topic: Topic): Promise<boolean> {
    const slot = this.#topics.get(agentId, topic)
    if (slot === undefined) return false
    await this.#end(slot)
    return true
  }

  async closeAgent(agentId: string): Promise<void> {
    await Promise.all(this.#topics.slots(agentId).map((slot) => this.#end(slot)))
  }

  /** Ends all topics; from now on every command is answered `CANCELLED`. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const slot of this.#topics.slots()) this.#cancel(slot)
    await Promise.all([this.#locks.close(), this.#parts.shells.endAll()])
  }

  async #end(slot: Slot): Promise<void> {
    this.#cancel(slot)
    await this.#parts.shells.endTopic({ agentId: slot.agentId, topic: slot.topic.canonical })
  }

  #cancel(slot: Slot): void {
    this.#topics.forget(slot)
    slot.queue.cancelWaiting()
    slot.cancelRunning()
    slot.closing.abort()
  }

  async #renew(slot: Slot): Promise<void> {
    await this.#parts.shells.endTopic({ agentId: slot.agentId, topic: slot.topic.canonical })
    this.#topics.renew(slot)
  }

  /** Answers at once when the topic is closed, whether or not the command heeds its signal. */
  #run(slot: Slot, call: ExecCall, run: ReadCommand['run']): Promise<ExecOutcome> {
    call.onStart?.()
    return new Promise((resolve, reject) => {
      slot.cancelRunning = () => resolve(cancelled(slot.topic))
      this.#dispatch(slot, call, run).then(resolve, reject)
    })
  }

  async #dispatch(slot: Slot, call: ExecCall, run: ReadCommand['run']): Promise<ExecOutcome> {
    const { session, topic } = slot
    const started = performance.now()
    let result: Result
    try {
      result = await run(this.#context(slot, call))
    } catch (error) {
      result = this.#internalError(slot, error)
    }
    if (!result.ok) this.#report(slot, call, result.code, performance.now() - started)
    result = this.#bounded(slot, call, result)
    const meta = session.meta()
    const mode = session.closed ? null : session.mode
    if (session.closed) await this.#renew(slot)
    return { kind: 'done', result, topic, meta, mode }
  }

  /** One place for all commands and surfaces: what an answer has no room for is kept until the topic is closed. */
  #bounded({ agentId, topic, closing }: Slot, { agent, answerBytes }: ExecCall, result: Result): Result {
    // Nobody waits for it any more.
    if (closing.signal.aborted) return result
    const place = { agentId, topic: topic.canonical, home: agent.home }
    return bounded(result, answerBytes ?? LIMITS.answerBytes, (text) => this.#parts.shells.keep(place, text))
  }

  /** What is our own fault ends here: the log has it, the caller gets its id. */
  #internalError({ agentId, topic }: Slot, error: unknown): Result {
    const id = randomBytes(6).toString('hex')
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#parts.log.error('A command threw', { id, agent: agentId, topic: topic.canonical, cause })
    return fail('INTERNAL_ERROR', `String failed at this command; the log has it as ${id}`, 'string --daemon logs')
  }

  #context(slot: Slot, call: ExecCall): CommandContext {
    const { agent } = call
    return createContext(this.#parts, slot, call, {
      locks: this.#locks,
      sessions: () => this.sessions(agent.id),
      closeApp: (name) => this.#closeApp(slot, name),
      hubPage: (hub, packages) => this.#parts.hubPage(hub, this.#hubData(agent, packages)),
    })
  }

  async #closeApp(from: Slot, name: string): Promise<void> {
    const isOf = ({ topic }: Slot): boolean => topic.type === 'app' && topic.canonical.split(':')[1] === name
    const others = this.#topics.slots(from.agentId).filter((slot) => slot !== from && isOf(slot))
    if (isOf(from)) from.session.closed = true
    await Promise.all(others.map((slot) => this.#end(slot)))
  }

  #hubData(agent: Agent, packages: TopicPackages): HubData {
    const { id, home, allowedPaths, profile = null, createdAt } = agent
    return {
      system: this.#parts.system(),
      agent: { id, home, allowedPaths, profile, createdAt },
      sessions: this.sessions(id),
      shells: this.#topics.slots(id).flatMap(({ topic }) => {
        const info = this.#parts.shells.info({ agentId: id, topic: topic.canonical })
        return info === null ? [] : [{ topic: topic.canonical, ...info }]
      }),
      inbox: {
        ...this.#parts.inbox.counts(id),
        newest: this.#parts.inbox.newest(id, false, LIMITS.listedEvents),
        hasWebhook: agent.webhookToken !== undefined,
      },
      deliveries: this.#parts.deliveries(id).slice(0, LIMITS.hintedNames),
      errors: this.#errors.filter((error) => error.agent === id).toReversed(),
      ...packageRows(packages),
    }
  }

  #report({ topic }: Slot, { agent, command }: ExecCall, code: string, ms: number): void {
    const [, name = '(text)'] = /^(\/\S{0,40})/.exec(shownCommand(command)) ?? []
    this.#errors.push({ time: new Date().toISOString(), agent: agent.id, topic: topic.canonical, command: name, code })
    if (this.#errors.length > LIMITS.recentErrors) this.#errors.shift()
    this.#parts.log.info('A command failed', {
      agent: agent.id,
      topic: topic.canonical,
      command: name,
      code,
      ms: Math.round(ms),
    })
  }
}
