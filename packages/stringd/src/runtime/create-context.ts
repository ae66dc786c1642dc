import { type Hub, LIMITS, type SessionView } from '@string-os/protocol'
import type { Powers } from '../action/powers.ts'
import type { CommandContext } from '../command/core/context.ts'
import { createActionFiles } from '../editing/action-files.ts'
import { Editor } from '../editing/editor.ts'
import type { UndoSteps } from '../editing/undo-steps.ts'
import type { Inbox } from '../events/inbox.ts'
import { Workspace, type WorkspaceScope } from '../files/workspace.ts'
import type { Base } from '../library/address.ts'
import { CommandBudget } from '../library/command-budget.ts'
import type { Library } from '../library/library.ts'
import type { PackageServices } from '../packages/create.ts'
import { powersOf } from '../packages/use/powers.ts'
import { storedVariables } from '../packages/use/stored-variables.ts'
import {
  ownPackage,
  type TopicPackages,
  topicPackages,
  topicPowers,
  topicScope,
} from '../packages/use/topic-packages.ts'
import { Reader } from '../reading/reader.ts'
import type { ShellHost } from '../shell/shell-host.ts'
import type { FileLocks } from '../store/file-locks.ts'
import { BESIDE_BYTES } from './bounded.ts'
import type { ExecCall } from './exec-call.ts'
import type { RunningCommand } from './running-command.ts'
import { topicShell } from './topic-shell.ts'
import type { Slot } from './topics.ts'

/** The services that commands work with. */
export interface ContextParts extends PackageServices {
  readonly library: Library
  readonly shells: ShellHost
  readonly inbox: Inbox
  readonly send: CommandContext['send']
  /** The daemon's own, of which packages get the variables that they list. */
  readonly environment: Readonly<Record<string, string>>
  readonly dataDir: string
  /** Whether some agent lives in this folder. */
  readonly isHome: (path: string) => boolean
}

/** What only the runtime knows: about all topics, and about the command that runs. */
export interface AcrossTopics {
  readonly running: RunningCommand
  readonly locks: FileLocks
  readonly undos: UndoSteps
  readonly sessions: () => readonly SessionView[]
  readonly closeApp: (name: string) => Promise<void>
  readonly hubPage: (hub: Hub, packages: TopicPackages) => string
}

/** Everything that one command in a topic may touch. */
export function createContext(parts: ContextParts, slot: Slot, call: ExecCall, across: AcrossTopics): CommandContext {
  const { session, topic } = slot
  const { agent, cwd, deadline, answerBytes = LIMITS.answerBytes, mayHaveAll = false } = call
  const { library, packages, variables, environment, inbox, send, shells } = parts
  const { running, locks, undos, sessions, closeApp } = across
  if (cwd !== null) session.allow(cwd)
  const own = ownPackage(packages, agent.home, topic)
  const scope = scopeIn(parts, slot, call)
  const workspace = new Workspace(scope)
  const budget = new CommandBudget()
  const hubPage = (hub: Hub): string => across.hubPage(hub, context.packages)
  const readerIn = (folder: string | null): Reader => {
    const readable = new Workspace({ ...scope, readable: folder, located: new Map() })
    return newReader(readable)
  }
  const newReader = (readable: Workspace): Reader =>
    new Reader({
      library,
      workspace: readable,
      session,
      get signal() {
        return running.signal
      },
      hubPage,
      own,
      budget,
    })
  const reader = own?.folder == null ? newReader(workspace) : readerIn(own.folder)
  const files = createActionFiles({ workspace, session, locks })
  const powers = (base: Base): Powers => powersOf(base, files, workspace.start)
  const inTopic = { packages, variables, environment, home: agent.home, topic, workspace, files, powers }
  const shownBytes = answerBytes - BESIDE_BYTES
  const place = { agentId: agent.id, topic: topic.canonical, home: agent.home }
  const context: CommandContext = {
    agent,
    topic,
    session,
    workspace,
    reader,
    readerIn,
    editor: new Editor({ workspace, session, reader, library, locks, undos, budget }),
    shell: topicShell({ shells, place, start: () => workspace.start, shownBytes, deadline, running }),
    inbox,
    powers: topicPowers(own, inTopic),
    send,
    keep: (text) => shells.keep(place, text),
    atOnceBytes: mayHaveAll ? Number.POSITIVE_INFINITY : shownBytes,
    stored: storedVariables(variables, topicScope(packages, agent.home, topic)),
    packages: topicPackages(own, inTopic),
    closeApp,
    deadline: deadline ?? Number.POSITIVE_INFINITY,
    get signal() {
      return running.signal
    },
    sessions,
  }
  return context
}

function scopeIn({ dataDir, isHome }: ContextParts, { session }: Slot, { agent, cwd }: ExecCall): WorkspaceScope {
  return {
    home: agent.home,
    allowed: [...agent.allowedPaths, ...session.workingDirs],
    cwd,
    folder: () => session.document?.folder ?? null,
    dataDir,
    isHome,
    realFolders: session.realFolders,
    located: session.located(agent),
  }
}
