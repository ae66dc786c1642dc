import type { Result } from '@string-os/protocol'
import type { ExecCall, Runtime } from '../runtime/runtime.ts'

export interface ChanFlowCall {
  readonly agent: ExecCall['agent']
  /** What a model wrote. */
  readonly text: string
  readonly cwd: string | null
  /** How to learn that the caller went away: what has not begun is then dropped. */
  readonly watchCaller?: ExecCall['watchCaller']
  /** How many agents woke each other until this text was written. */
  readonly hops?: number
}

/** A message for a channel that is not String. */
export interface Outgoing {
  readonly agent: ExecCall['agent']
  readonly channel: string
  readonly target: string | null
  readonly text: string
  readonly hops: number
}

export interface ChanFlowParts {
  readonly runtime: Runtime
  readonly deliver: (message: Outgoing) => Promise<Result>
  readonly now: () => Date
}
