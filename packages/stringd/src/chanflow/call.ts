import type { Result } from '@string-os/protocol'
import type { Outgoing } from '../channels/channels.ts'
import type { ExecCall, WatchCaller } from '../runtime/exec-call.ts'
import type { Runtime } from '../runtime/runtime.ts'

export interface ChanFlowCall {
  readonly agent: ExecCall['agent']
  /** What a model wrote. */
  readonly text: string
  readonly cwd: string | null
  /** How to learn that the caller went away: what has not begun is then dropped. */
  readonly watchCaller?: WatchCaller | undefined
  /** And what runs is ended. */
  readonly cancelOnLeave?: boolean
  /** What an answer may hold; the rest is kept in a file that it names. */
  readonly answerBytes?: number
  /** How many agents woke each other until this text was written. */
  readonly hops?: number
}

export interface ChanFlowParts {
  readonly runtime: Runtime
  readonly deliver: (message: Outgoing) => Promise<Result>
  readonly now: () => Date
  /** An agent that is deleted while its text runs gets nothing more done. */
  readonly isRegistered: (agentId: string) => boolean
}
