import type { LineHandler } from './lines.ts'
import type { Permission, PermissionRequest, TurnRequest } from './turn.ts'
import type { AgentUsage } from './usage.ts'

/** What a wire heeds of a profile. */
export interface WireSettings {
  readonly stdin: 'none' | 'message'
  readonly streaming: boolean
  readonly sessionLinePrefix: string
  readonly permission: boolean
  readonly maxReplyChars: number
  readonly truncationSuffix: string
}

/** One way to talk with the process of an agent. */
export interface WireRow {
  /** The words of a `command` that is written as one text. */
  readonly commandWords: (text: string) => readonly string[]
  /** What standard input begins with; null: it is at its end from the start, and the message a variable. */
  readonly input: (request: TurnRequest, settings: WireSettings) => string | null
  /** What tells an agent whether it may; null: nobody can ask on this wire. */
  readonly permissionLine: ((requestId: string, behavior: Permission) => string) | null
  /** Whether an agent can tell on it what its work cost. */
  readonly tellsUsage: boolean
  /** How much of a line is kept. */
  readonly lineBytes: (settings: WireSettings) => number
  /** What this line says is told as it comes: a partial, a question. */
  readonly isTold: (line: string, settings: WireSettings) => boolean
  readonly newReader: (settings: WireSettings, events: WireEvents) => WireReader
  /** For a person: what of the profile only this wire heeds. */
  readonly notes: (settings: WireSettings) => readonly (readonly [name: string, value: string])[]
}

/** What a reader of agent output tells as it happens. */
export interface WireEvents {
  readonly partial: (text: string, role: string | null) => void
  readonly warn: (text: string) => void
  readonly permission: (request: PermissionRequest) => void
  /** Nothing more will be asked: the agent may see the end of its input. */
  readonly answered: () => void
}

export interface WireOutcome {
  readonly reply: string
  /** What would be the reply if no partials had been forwarded. */
  readonly said: string
  readonly usage: AgentUsage | null
  /** What is left to show of a turn that failed. */
  readonly body: string
  readonly isReplyCut: boolean
  readonly arePartialsCut: boolean
  readonly error: string | null
  /** The one that the agent declared. */
  readonly sessionId: string | null
}

/** Reads the lines of one turn. What it keeps is bounded by `max_reply_chars`, whatever comes. */
export interface WireReader extends LineHandler {
  /** To be called when a chunk of lines is over. */
  readonly settle: () => void
  readonly outcome: () => WireOutcome
  readonly retainedBytes: number
}
