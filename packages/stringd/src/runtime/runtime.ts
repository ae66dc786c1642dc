import { randomBytes } from 'node:crypto'
import {
  type DeliveryView,
  type DocumentMeta,
  type Failure,
  fail,
  type Hub,
  LIMITS,
  type Result,
  type SessionView,
  shownCommand,
  type Topic,
} from '@string-os/protocol'
import type { Powers } from '../action/powers.ts'
import type { Dispatch, ReadCommand } from '../command/dispatch.ts'
import type { Inbox } from '../events/inbox.ts'
import { Workspace, type WorkspaceScope } from '../files/workspace.ts'
import type { HubData, RecentError } from '../hub/hub-data.ts'
import type { Base } from '../library/address.ts'
import type { Library } from '../library/library.ts'
import type { Log } from '../log.ts'
import type { PackageServices } from '../packages/create.ts'
import { scopeOf } from '../packages/variables.ts'
import type { TurnOptions } from '../queue/topic-queue.ts'
import { createActionFiles } from '../session/action-files.ts'
import type { CommandContext } from '../session/context.ts'
import { Editor } from '../session/editor.ts'
import { powersOf } from '../session/powers.ts'
import { Reader } from '../session/reader.ts'
import { storedVariables } from '../session/stored-variables.ts'
import { ownPackage, type TopicPackages, topicPackages, topicPowers } from '../session/topic-packages.ts'
import type { ShellHost } from '../shell/shell-host.ts'
import type { Agent } from '../store/agents.ts'
import { FileLocks } from '../store/file-locks.ts'
import { packageRows } from './package-rows.ts'
import { topicShell } from './topic-shell.ts'
import { type Slot, Topics, viewSlot } from './topics.ts'

export interface ExecCall extends TurnOptions {
  readonly agent: Agent
  readonly topic: Topic
  readonly command: string
  readonly cwd: string | null
  /** A limit of `/exec` below the daemon's own, for callers that would not wait that long. */
  readonly execMs?: number
  /** Called when the command has left the queue and begins. */
  readonly onStart?: () => void
}

/** `done`: there is a result. The others: the command never ran, and nothing else happened. */
export type ExecOutcome =
  | {
      readonly kind: 'done'
      readonly result: Result
      readonly topic: Topic
      readonly meta: DocumentMeta | null
      /** The mode that the session is in now. */
      readonly mode: 'edit' | null
    }
  | { readonly kind: 'full' | 'timeout' | 'left'; readonly topic: Topic }

export interface RuntimeParts extends PackageServices {
  readonly dispatch: Dispatch
  readonly library: Library
  readonly shells: ShellHost
  readonly inbox: Inbox
  readonly send: CommandContext['send']
  /** The daemon's own, of which packages get the variables that they list. */
  readonly environment: Readonly<Record<string, string>>
  /** What the hub pages tell about the daemon. */
  readonly system: () => HubData['system']
  readonly deliveries: (agentId: string) => readonly DeliveryView[]
  readonly hubPage: (hub: Hub, data: HubData) => string
  readonly dataDir: string
  readonly log: Log
  /** Whether some agent lives in this folder. */
  readonly isHome: (path: string) => boolean
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
    if (touched === null) {
      const result = fail(
        'LIMIT_REACHED',
        `There are ${LIMITS.topics} topics already`,
        '/topics lists yours, /close ends one',
      )
      return { kind: 'done', result, topic, meta: null, mode: null }
    }
    const { slot } = touched
    if (immediate) return this.#dispatch(slot, call, run)
    const turn = await slot.queue.run(() => this.#run(slot, call, run), call)
    if (turn.kind === 'ran') return turn.value
    if (turn.kind === 'busy') return busy(topic)
    return turn.kind === 'cancelled' ? cancelled(topic) : { kind: turn.kind, topic }
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
    const meta = session.meta()
    const mode = session.closed ? null : session.mode
    if (session.closed) await this.#renew(slot)
    return { kind: 'done', result, topic, meta, mode }
  }

  /** What is our own fault ends here: the log has it, the caller gets its id. */
  #internalError({ agentId, topic }: Slot, error: unknown): Result {
    const id = randomBytes(6).toString('hex')
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#parts.log.error('A command threw', { id, agent: agentId, topic: topic.canonical, cause })
    return fail('INTERNAL_ERROR', `String failed at this command; the log has it as ${id}`, 'string --daemon logs')
  }

  #context(slot: Slot, { agent, cwd, execMs }: ExecCall): CommandContext {
    const { session, topic } = slot
    if (cwd !== null) session.allow(cwd)
    const { signal } = slot.closing
    const { library, packages, variables, environment, inbox } = this.#parts
    const own = ownPackage(packages, agent.home, topic)
    const scope = this.#scope(slot, agent, cwd)
    const workspace = new Workspace(scope)
    const hubPage = (hub: Hub): string => this.#parts.hubPage(hub, this.#hubData(agent, context.packages))
    const readerIn = (folder: string): Reader => {
      const readable = new Workspace({ ...scope, readable: folder, located: new Map() })
      return new Reader({ library, workspace: readable, session, signal, hubPage, own })
    }
    const reader =
      own?.folder == null ? new Reader({ library, workspace, session, signal, hubPage, own }) : readerIn(own.folder)
    const editor = new Editor({ workspace, session, reader, library, locks: this.#locks })
    const place = { agentId: agent.id, topic: topic.canonical, home: agent.home }
    const shell = topicShell(this.#parts.shells, place, () => workspace.start, execMs)
    const files = createActionFiles({ workspace, session, locks: this.#locks })
    const powers = (base: Base): Powers => powersOf(base, files)
    const parts = { packages, variables, environment, home: agent.home, topic, workspace, files, readerIn, powers }
    const context: CommandContext = {
      agent,
      topic,
      session,
      workspace,
      reader,
      editor,
      shell,
      inbox,
      powers: topicPowers(own, parts),
      send: this.#parts.send,
      stored: storedVariables(variables, scopeOf(agent.home, topic)),
      packages: topicPackages(own, parts),
      closeApp: (name) => this.#closeApp(slot, name),
      signal,
      sessions: () => this.sessions(agent.id),
    }
    return context
  }

  #scope({ session }: Slot, agent: Agent, cwd: string | null): WorkspaceScope {
    return {
      home: agent.home,
      allowed: [...agent.allowedPaths, ...session.workingDirs],
      cwd,
      folder: session.document?.folder ?? null,
      dataDir: this.#parts.dataDir,
      isHome: this.#parts.isHome,
      realFolders: session.realFolders,
      located: session.located(agent),
    }
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

function busy(topic: Topic): ExecOutcome {
  const message = `Topic ${topic.canonical} is running another command`
  const result = fail('BUSY', message, 'Try again when it has ended, or use another topic')
  return { kind: 'done', result, topic, meta: null, mode: null }
}

/** Why a command did not get its turn. */
export function queueFailure(agentId: string, kind: 'full' | 'timeout', topic: Topic): Failure {
  if (kind === 'timeout') return fail('QUEUE_TIMEOUT', 'Timed out waiting in queue.')
  const name = `${agentId}:${topic.canonical}`
  return fail('QUEUE_FULL', `Topic ${name} has ${LIMITS.queueWaiting} commands queued. Try again later.`)
}

function cancelled(topic: Topic): ExecOutcome {
  const result = fail('CANCELLED', 'The topic was closed before the command ended')
  return { kind: 'done', result, topic, meta: null, mode: null }
}
