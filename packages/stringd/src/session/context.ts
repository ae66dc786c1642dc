import type { SessionView, Topic } from '@string-os/protocol'
import type { Workspace } from '../files/workspace.ts'
import type { Agent } from '../store/agents.ts'
import type { Editor } from './editor.ts'
import type { Reader } from './reader.ts'
import type { Session } from './session.ts'

/** Everything a command may touch. */
export interface CommandContext {
  readonly agent: Agent
  readonly topic: Topic
  readonly session: Session
  readonly workspace: Workspace
  readonly reader: Reader
  readonly editor: Editor
  /** Ends when the topic is closed under the command. */
  readonly signal: AbortSignal
  /** The sessions of this agent. */
  readonly sessions: () => readonly SessionView[]
}
