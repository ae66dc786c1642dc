import type { AgentUsage } from './usage.ts'

/** Something that came with a message. */
export interface Attachment {
  readonly type: 'image' | 'file' | 'audio' | 'video'
  readonly url: string
  readonly name: string | null
}

export interface TurnRequest {
  readonly message: string
  /** The one that the previous turn of this session declared; empty: a new one begins. */
  readonly sessionId: string | null
  /** Empty: that of those who name none. */
  readonly sessionName: string
  /** Empty: the user that the bridge runs as. */
  readonly fromUser: string
  readonly attachments: readonly Attachment[]
}

export type Permission = 'allow' | 'deny'

export interface PermissionRequest {
  readonly request_id: string
  readonly tool_name: string
  readonly input: unknown
}

/** A process that runs, whenever somebody looks. */
export interface AgentProcessView {
  /** Since it printed something, or began. */
  readonly silentMs: number
  /** Until it is ended for its time. */
  readonly leftMs: number
  /** The end of its standard output, secrets hidden, without what is told as it comes. */
  readonly stdout: string
  /** The end of its standard error, secrets hidden, also one that is not written to its end yet. */
  readonly stderr: string
}

export interface TurnOptions {
  /** Where the agent runs when its profile names no folder. */
  readonly cwd: string
  /** Where it runs whatever its profile says. */
  readonly cwdOverride?: string
  /** The environment of the bridge itself. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What to do about a variable that is not in it: whoever runs the bridge knows where it is set. */
  readonly howToSet?: (variable: string) => string
  /** Variables that whoever runs the bridge adds. */
  readonly extraEnv?: Readonly<Record<string, string>>
  /**
   * The mark of everything that the turn starts; by default a new one for every turn. One that ends with a slash also
   * reaches the turns of a bridge that the agent itself runs.
   */
  readonly owner?: string
  /** Cancels the turn: TERM, the grace, KILL. */
  readonly signal?: AbortSignal
  readonly onPartial?: (text: string, role: string | null) => void
  readonly onWarning?: (text: string) => void
  /** Standard error of the agent as it comes, secrets and all. */
  readonly onStderr?: (text: string) => void
  /** The process runs: what can be asked of it until it ends. */
  readonly onProcess?: (process: AgentProcessView) => void
  /** Asked for every permission request; the signal tells that the turn is over. Without it the profile answers. */
  readonly onPermission?: (request: PermissionRequest, signal: AbortSignal) => Promise<Permission>
  /** The time until `onPermission` answers is no time of the turn: a person thinks it over. */
  readonly permissionPauses?: boolean
}

/** How a turn went, with the names that are used on the wire. */
export interface TurnResult {
  readonly ok: boolean
  readonly reply: string
  readonly error: string | null
  readonly session_id: string | null
  readonly exit_code: number
  readonly timed_out: boolean
  readonly truncated: boolean
  readonly duration_ms: number
  /** It was ended because the caller wanted it so. */
  readonly cancelled: boolean
  /** The error is the agent's own word. */
  readonly agent_error: boolean
  /** The end of standard error, without what the profile took from the environment. */
  readonly stderr: string
  /** What it said in the end, also where partials were forwarded and the reply is empty; empty where it failed. */
  readonly said: string
  readonly usage: AgentUsage | null
  /** What a failed agent printed that would have been its reply; empty where it succeeded. */
  readonly body: string
}
