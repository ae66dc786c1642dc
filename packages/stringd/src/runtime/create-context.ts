import { type Hub, LIMITS, type Topic } from '@string-os/protocol'
import type { CommandContext, TopicShell } from '../command/core/context.ts'
import { createActionFiles } from '../editing/action-files.ts'
import { Editor, type EditorParts } from '../editing/editor.ts'
import type { Workspace } from '../files/workspace.ts'
import type { PackageServices } from '../packages/create.ts'
import { ownPackage, type TopicPackages, type TopicUse, topicUse } from '../packages/use/topic-packages.ts'
import type { Reader } from '../reading/reader.ts'
import { TopicReading, type TopicReadingParts } from '../reading/topic-reading.ts'
import type { Session } from '../session/session.ts'
import type { TopicState } from '../session/topic-state.ts'
import type { Agent } from '../store/agents.ts'
import { BESIDE_BYTES } from './bounded.ts'
import type { ExecCall } from './exec-call.ts'
import type { RunningCommand } from './running-command.ts'
import { type TopicShellParts, topicShell } from './topic-shell.ts'
import type { Slot } from './topics.ts'

/** The services that commands work with. */
export interface ContextParts extends PackageServices, Pick<CommandContext, 'inbox' | 'wakeFor' | 'send' | 'searcher'> {
  readonly library: TopicReadingParts['library']
  readonly shells: TopicShellParts['shells']
  /** The daemon's own, of which packages get the variables that they list. */
  readonly environment: Readonly<Record<string, string>>
  readonly dataDir: string
  /** Whether some agent lives in this folder. */
  readonly isHome: (path: string) => boolean
}

/** What only the runtime knows: it is the same for all commands. */
export interface AcrossTopics extends Pick<EditorParts, 'locks' | 'undos'> {
  readonly sessions: (agent: Agent) => readonly TopicState[]
  readonly closeApp: (from: Slot, name: string) => Promise<void>
  readonly hubPage: (hub: Hub, agent: Agent, packages: TopicPackages) => Promise<string>
}

/** One command: where it runs, who asked for what, and how it is stopped. */
interface Running {
  readonly slot: Slot
  readonly call: ExecCall
  readonly running: RunningCommand
}

type Own = Pick<CommandContext, 'reader' | 'powers'>

/** Everything that one command in a topic may touch. What it does not touch is not made: that is most of it. */
export class TopicContext implements CommandContext {
  readonly agent: Agent
  readonly topic: Topic
  readonly session: Session
  readonly #made: Made
  readonly #own: Own | null

  constructor(made: Made, own: Own | null = null) {
    const { slot, call } = made.command
    this.agent = call.agent
    this.topic = slot.topic
    this.session = slot.session
    this.#made = made
    this.#own = own
  }

  static of(parts: ContextParts, across: AcrossTopics, command: Running): TopicContext {
    const { slot, call } = command
    if (call.cwd !== null && call.onlyLooks !== true) slot.session.allow(call.cwd)
    return new TopicContext(new Made(parts, across, command))
  }

  get inbox(): CommandContext['inbox'] {
    return this.#made.parts.inbox
  }

  get wakeFor(): CommandContext['wakeFor'] {
    return this.#made.parts.wakeFor
  }

  get send(): CommandContext['send'] {
    return this.#made.parts.send
  }

  get searcher(): CommandContext['searcher'] {
    return this.#made.parts.searcher
  }

  get deadline(): number {
    return this.#made.command.call.deadline ?? Number.POSITIVE_INFINITY
  }

  get atOnceBytes(): number {
    return this.#made.command.call.mayHaveAll === true ? Number.POSITIVE_INFINITY : this.#made.shownBytes
  }

  get workspace(): Workspace {
    return this.#made.reading.workspace
  }

  get reader(): Reader {
    return this.#own?.reader ?? this.#made.reading.reader
  }

  get editor(): Editor {
    return this.#made.editor
  }

  get shell(): TopicShell {
    return this.#made.shell
  }

  get powers(): CommandContext['powers'] {
    return this.#own?.powers ?? this.#made.use.powers
  }

  get stored(): CommandContext['stored'] {
    return this.#made.use.stored
  }

  get packages(): TopicPackages {
    return this.#made.use.packages
  }

  get signal(): AbortSignal {
    return this.#made.command.running.signal
  }

  get sessions(): CommandContext['sessions'] {
    return () => this.#made.across.sessions(this.agent)
  }

  get closeApp(): CommandContext['closeApp'] {
    return (name) => this.#made.across.closeApp(this.#made.command.slot, name)
  }

  get keep(): CommandContext['keep'] {
    return (text) => this.#made.parts.shells.keep(this.#made.place, text)
  }

  get readerIn(): CommandContext['readerIn'] {
    return (folder) => this.#made.reading.readerIn(folder)
  }

  get with(): CommandContext['with'] {
    return (own) => new TopicContext(this.#made, own)
  }
}

/** What has been made for a command. */
class Made {
  readonly parts: ContextParts
  readonly across: AcrossTopics
  readonly command: Running
  #reading: TopicReading | null = null
  #use: TopicUse | null = null
  #editor: Editor | null = null
  #shell: TopicShell | null = null

  constructor(parts: ContextParts, across: AcrossTopics, command: Running) {
    this.parts = parts
    this.across = across
    this.command = command
  }

  get place(): { agentId: string; topic: string; home: string } {
    const { slot, call } = this.command
    return { agentId: call.agent.id, topic: slot.topic.canonical, home: call.agent.home }
  }

  get shownBytes(): number {
    return (this.command.call.answerBytes ?? LIMITS.answerBytes) - BESIDE_BYTES
  }

  get reading(): TopicReading {
    this.#reading ??= this.#newReading()
    return this.#reading
  }

  get use(): TopicUse {
    this.#use ??= this.#newUse()
    return this.#use
  }

  get editor(): Editor {
    this.#editor ??= this.#newEditor()
    return this.#editor
  }

  get shell(): TopicShell {
    this.#shell ??= this.#newShell()
    return this.#shell
  }

  /** Where relative paths start: in a bash topic where its shell is, unless the caller said where for this very command. */
  #here(): string | null {
    const { slot, call } = this.command
    if (slot.topic.type !== 'bash' || (call.cwd !== null && call.isCwdForAll !== true)) return call.cwd
    return this.parts.shells.info(this.place)?.cwd ?? call.cwd
  }

  #newReading(): TopicReading {
    const { parts, across } = this
    const { slot, call, running } = this.command
    return new TopicReading({
      library: parts.library,
      session: slot.session,
      own: ownPackage(parts.packages, call.agent.home, slot.topic),
      installed: () => this.use.packages.list().map(({ record }) => record),
      scope: scopeIn(parts, slot, call, this.#here()),
      hubPage: (hub) => across.hubPage(hub, call.agent, this.use.packages),
      command: running,
    })
  }

  #newUse(): TopicUse {
    const { packages, variables, environment } = this.parts
    const { slot, call } = this.command
    const { workspace, own } = this.reading
    const { home } = call.agent
    const files = createActionFiles({ workspace, session: slot.session, locks: this.across.locks })
    return topicUse(own, { packages, variables, environment, home, topic: slot.topic, workspace, files })
  }

  #newEditor(): Editor {
    const { workspace, reader, budget } = this.reading
    const { locks, undos } = this.across
    const { library } = this.parts
    return new Editor({ workspace, session: this.command.slot.session, reader, library, locks, undos, budget })
  }

  #newShell(): TopicShell {
    const {
      deadline,
      shellWaitMs = null,
      shellSeen = null,
      shellAtPrompt = false,
      shellStyles = false,
      shellDrawn = null,
      shellPagers = null,
    } = this.command.call
    return topicShell({
      shells: this.parts.shells,
      place: this.place,
      start: () => this.reading.workspace.start,
      shownBytes: this.shownBytes,
      deadline,
      shellWaitMs,
      shellSeen,
      isAtPrompt: shellAtPrompt,
      hasStyles: shellStyles,
      drawn: shellDrawn,
      pagers: shellPagers,
      running: this.command.running,
    })
  }
}

function scopeIn(
  { dataDir, isHome }: ContextParts,
  { session, topic }: Slot,
  { agent, cwd, onlyLooks }: ExecCall,
  here: string | null,
): TopicReadingParts['scope'] {
  const scope: TopicReadingParts['scope'] = {
    agentId: agent.id,
    home: agent.home,
    allowed: [...agent.allowedPaths, ...session.workingDirs],
    cwd: here,
    isCwdFirst: topic.type === 'bash',
    folder: () => session.document?.folder ?? null,
    dataDir,
    isHome,
    realFolders: session.realFolders,
    located: session.located(agent),
  }
  if (onlyLooks !== true) return scope
  const allowed = cwd === null ? scope.allowed : [...scope.allowed, cwd]
  return { ...scope, allowed, realFolders: new Map(), located: new Map() }
}
