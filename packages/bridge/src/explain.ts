import { DEFAULT_SESSION } from '@string-os/protocol'
import { placeholderValues } from './env.ts'
import { locate, type Refused, turnEnvironment } from './prepare.ts'
import type { Profile } from './profile.ts'
import type { TurnOptions, TurnRequest } from './turn.ts'

/** What a turn would run, or why it cannot. */
export interface Explanation {
  /** The file that would be executed, and its folder; null when there is a problem. */
  readonly program: string | null
  readonly cwd: string | null
  /** The words behind the program, placeholders as written. */
  readonly args: readonly string[]
  readonly environmentNames: readonly string[]
  readonly problem: Refused | null
  readonly warnings: readonly string[]
}

const SAMPLE: TurnRequest = {
  message: 'hello',
  sessionId: null,
  sessionName: DEFAULT_SESSION,
  fromUser: '',
  attachments: [],
}

/** Looks up what a profile names, and runs nothing. */
export async function explainProfile(
  profile: Profile,
  { environment, ...folders }: Pick<TurnOptions, 'cwd' | 'cwdOverride' | 'environment'>,
): Promise<Explanation> {
  const warnings: string[] = []
  const surroundings = { ...folders, environment, extraEnv: {}, owner: 'bridge:' }
  const values = placeholderValues(profile, SAMPLE)
  const env = turnEnvironment(profile, SAMPLE, surroundings, values, (text) => warnings.push(text))
  const located = locate(profile, env, folders)
  return {
    program: located.ok ? located.program : null,
    cwd: located.ok ? located.cwd : null,
    args: [...profile.command.slice(1), ...profile.args],
    environmentNames: Object.keys(env).toSorted(),
    problem: located.ok ? null : located.refused,
    warnings,
  }
}
