import { type Hub, LIMITS } from '@string-os/protocol'
import type { CommandContext } from '../command/core/context.ts'
import { createActionFiles } from '../editing/action-files.ts'
import { Editor, type EditorParts } from '../editing/editor.ts'
import type { PackageServices } from '../packages/create.ts'
import { ownPackage, topicUse } from '../packages/use/topic-packages.ts'
import { TopicReading, type TopicReadingParts } from '../reading/topic-reading.ts'
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

/** What only the runtime knows: about all topics, and about the command that runs. */
export interface AcrossTopics
  extends Pick<CommandContext, 'sessions' | 'closeApp'>,
    Pick<EditorParts, 'locks' | 'undos'> {
  readonly running: RunningCommand
  readonly hubPage: (hub: Hub, packages: CommandContext['packages']) => Promise<string>
}

/** Everything that one command in a topic may touch. What it does not touch is not made. */
export function createContext(parts: ContextParts, slot: Slot, call: ExecCall, across: AcrossTopics): CommandContext {
  const { session, topic } = slot
  const { agent, cwd, deadline, shellWaitMs = null, answerBytes = LIMITS.answerBytes, mayHaveAll = false } = call
  const { library, packages, variables, environment, inbox, wakeFor, send, searcher, shells } = parts
  const { running, locks, undos, sessions, closeApp } = across
  if (cwd !== null && call.onlyLooks !== true) session.allow(cwd)
  const own = ownPackage(packages, agent.home, topic)
  const reading = new TopicReading({
    library,
    session,
    own,
    scope: scopeIn(parts, slot, call),
    hubPage: (hub) => across.hubPage(hub, use().packages),
    get signal() {
      return running.signal
    },
  })
  const files = once(() => createActionFiles({ workspace: reading.workspace, session, locks }))
  const use = once(() =>
    topicUse(own, {
      packages,
      variables,
      environment,
      home: agent.home,
      topic,
      workspace: reading.workspace,
      files: files(),
    }),
  )
  const editor = once(() => {
    const { workspace, reader, budget } = reading
    return new Editor({ workspace, session, reader, library, locks, undos, budget })
  })
  const shownBytes = answerBytes - BESIDE_BYTES
  const place = { agentId: agent.id, topic: topic.canonical, home: agent.home }
  const start = (): string => reading.workspace.start
  const shell = once(() => topicShell({ shells, place, start, shownBytes, deadline, shellWaitMs, running }))
  return {
    agent,
    topic,
    session,
    inbox,
    wakeFor,
    send,
    searcher,
    sessions,
    closeApp,
    deadline: deadline ?? Number.POSITIVE_INFINITY,
    atOnceBytes: mayHaveAll ? Number.POSITIVE_INFINITY : shownBytes,
    keep: (text) => shells.keep(place, text),
    readerIn: (folder) => reading.readerIn(folder),
    get workspace() {
      return reading.workspace
    },
    get reader() {
      return reading.reader
    },
    get editor() {
      return editor()
    },
    get shell() {
      return shell()
    },
    get powers() {
      return use().powers
    },
    get stored() {
      return use().stored
    },
    get packages() {
      return use().packages
    },
    get signal() {
      return running.signal
    },
  }
}

/** Makes something when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function scopeIn(
  { dataDir, isHome }: ContextParts,
  { session }: Slot,
  { agent, cwd, onlyLooks }: ExecCall,
): TopicReadingParts['scope'] {
  const scope: TopicReadingParts['scope'] = {
    agentId: agent.id,
    home: agent.home,
    allowed: [...agent.allowedPaths, ...session.workingDirs],
    cwd,
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
