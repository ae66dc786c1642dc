import type { Profile } from './profile.ts'
import type { PermissionRequest, TurnRequest, TurnResult } from './turn.ts'

export interface TurnOptions {
  /** Where the agent runs when its profile names no folder. */
  readonly cwd: string
  /** The environment of the bridge itself. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Variables that whoever runs the bridge adds. */
  readonly extraEnv?: Readonly<Record<string, string>>
  /** The mark of everything that the turn starts; by default a new one for every turn. */
  readonly owner?: string
  /** Cancels the turn: TERM, the grace, KILL. */
  readonly signal?: AbortSignal
  readonly onPartial?: (text: string, role: string | null) => void
  readonly onWarning?: (text: string) => void
  /** Standard error of the agent as it comes. */
  readonly onStderr?: (text: string) => void
  /** Asked for every permission request; the signal tells that the turn is over. Without it the profile's policy answers. */
  readonly onPermission?: (request: PermissionRequest, signal: AbortSignal) => Promise<'allow' | 'deny'>
}

/** What a turn would run, or why it cannot. */
export interface Explanation {
  /** The file that would be executed; null when there is a problem with it. */
  readonly program: string | null
  /** The words behind the program, placeholders as written. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly environmentNames: readonly string[]
  readonly problem: { readonly exitCode: number; readonly message: string } | null
  readonly warnings: readonly string[]
}

/** Runs an agent for one turn. Resolves when it and everything it started has ended, and never rejects for what it does. */
export function runTurn(_profile: Profile, _request: TurnRequest, _options: TurnOptions): Promise<TurnResult> {
  throw new Error('not yet')
}

export function explainProfile(
  _profile: Profile,
  _options: Pick<TurnOptions, 'cwd' | 'environment'>,
): Promise<Explanation> {
  throw new Error('not yet')
}
