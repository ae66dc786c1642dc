import type { Failure, Result, Topic } from '@string-os/protocol'
import type { Powers } from '../../action/call/powers.ts'
import type { Editor } from '../../editing/editor.ts'
import type { Inbox } from '../../events/inbox.ts'
import type { Workspace } from '../../files/workspace.ts'
import type { Base } from '../../library/address.ts'
import type { StoredVariables } from '../../packages/use/stored-variables.ts'
import type { TopicPackages } from '../../packages/use/topic-packages.ts'
import type { Reader } from '../../reading/reader.ts'
import type { Searcher } from '../../search/searcher.ts'
import type { Session } from '../../session/session.ts'
import type { TopicState } from '../../session/topic-state.ts'
import type { ShellState } from '../../shell/bash/shell-state.ts'
import type { TerminalSize } from '../../shell/screen/screen-grid.ts'
import type { ExecRun, Kept, ShellHost, ShellInfo } from '../../shell/shell-host.ts'
import type { Agent } from '../../store/agents.ts'
import type { EventRow } from '../../store/groups/events.ts'
import type { SendRequest } from '../../web/request.ts'

/** What a topic may start. */
export interface TopicShell {
  readonly execMs: number
  /** Of an output, what an answer shows. */
  readonly shownBytes: number
  /** The caller has a place of its own in what the shell prints, and is told where that is then. */
  readonly isPlaceTold: boolean
  /** Whoever asked wants to see the styles of what programs print. */
  readonly hasStyles: boolean
  readonly exec: (run: ExecRun) => ReturnType<ShellHost['exec']>
  /** Gives text to this topic's bash, which is started when there is none. */
  readonly input: (text: string) => Promise<ShellState | Failure>
  /** These answer null where no bash runs. */
  readonly wait: (waitMs: number) => Promise<ShellState | null>
  readonly interrupt: () => Promise<ShellState | null>
  readonly type: (characters: string) => Promise<ShellState | null>
  readonly press: (keys: readonly string[]) => Promise<ShellState | null>
  /** Also of a bash that is still to be started. */
  readonly resize: (size: TerminalSize) => void
  readonly info: () => ShellInfo | null
}

/** Everything a command may touch. */
export interface CommandContext {
  readonly agent: Agent
  readonly topic: Topic
  readonly session: Session
  readonly workspace: Workspace
  readonly reader: Reader
  /** A reader to which a folder is open that is closed to the topic. */
  readonly readerIn: (folder: string | null) => Reader
  readonly editor: Editor
  readonly shell: TopicShell
  readonly searcher: Searcher
  readonly inbox: Inbox
  /** Gives an event to the program that the agent is. */
  readonly wakeFor: (agent: Agent, event: EventRow) => Promise<Result>
  /** What a document may do, by where it came from; an included one has its own. */
  readonly powers: (base: Base) => Powers
  /** Sends the request of an action, guarded like the pages of `/open`. */
  readonly send: SendRequest
  /** Keeps a text that an answer has no room for, until the topic is closed; tells where it is. */
  readonly keep: (text: string) => Kept
  /** How much of a document is shown at once to those who ask for all of it. */
  readonly atOnceBytes: number
  readonly stored: StoredVariables
  readonly packages: TopicPackages
  /** Ends the topics of an app; this one when the command is over. */
  readonly closeApp: (name: string) => Promise<void>
  /** When whoever asked gives up, on the clock of `performance`; infinite where that is not known. */
  readonly deadline: number
  /** Ends when the command is stopped, or the topic closed under it. */
  readonly signal: AbortSignal
  /** The sessions of this agent. */
  readonly sessions: () => readonly TopicState[]
  /** The same context with another reader and other powers. */
  readonly with: (own: Pick<CommandContext, 'reader' | 'powers'>) => CommandContext
}
