import { CAP_NAMES, DEFAULT_SESSION } from '@string-os/protocol'
import { filesOnlyBeside } from './beside.ts'
import { placeholderValues, unreadVariables } from './env.ts'
import { locate, type Refused, turnEnvironment } from './prepare.ts'
import type { Profile } from './profile.ts'
import type { TurnOptions, TurnRequest } from './turn.ts'
import { WIRES } from './wires.ts'

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

interface Where extends Pick<TurnOptions, 'cwd' | 'cwdOverride' | 'environment' | 'howToSet'> {
  /** The folder of the agent in the daemon; null: not known yet. */
  readonly home: string | null
}

/** Looks up what a profile names, and runs nothing. */
export async function explainProfile(profile: Profile, { home, ...where }: Where): Promise<Explanation> {
  const warnings: string[] = [...unheeded(profile), ...unreadVariables(profile)]
  if (where.cwdOverride === undefined)
    warnings.push(...filesOnlyBeside(profile, home).map((word) => elsewhere(word, home)))
  const surroundings = { ...where, extraEnv: {}, owner: 'bridge:' }
  const values = placeholderValues(profile, SAMPLE)
  const env = turnEnvironment(profile, SAMPLE, surroundings, values, (text) => warnings.push(text))
  const located = locate(profile, env, where)
  return {
    program: located.ok ? located.program : null,
    cwd: located.ok ? located.cwd : null,
    args: [...profile.command.slice(1), ...profile.args],
    environmentNames: Object.keys(env).toSorted(),
    problem: located.ok ? null : located.refused,
    warnings,
  }
}

function elsewhere(word: string, home: string | null): string {
  const where = home === null ? 'in the daemon the agent runs in its home' : `the agent runs in its home ${home}`
  return `${word} is beside the profile, but ${where}. Write {{PROFILE_DIR}}/${word.replace(/^\.\//, '')}, or add cwd: .`
}

/** Keys with which nothing happens on the wire of the profile. */
function unheeded({ wire, limits, permission }: Profile): string[] {
  const { tellsUsage, permissionLine } = WIRES[wire]
  const told = CAP_NAMES.filter((name) => limits[name] !== undefined && isTold(name))
  return [
    ...(tellsUsage ? [] : told.map(neverReached(wire))),
    ...(permission && permissionLine === null
      ? [
          `permission: true does nothing on wire ${wire}, on which no agent can ask. Write wire: "0.4" for one that speaks it`,
        ]
      : []),
  ]
}

/** Whether only the agent itself knows how much of it is used. */
const isTold = (name: (typeof CAP_NAMES)[number]): boolean => name === 'tokens_per_day' || name === 'cost_per_day'

const neverReached =
  (wire: string) =>
  (name: string): string =>
    `${name} is never reached on wire ${wire}, on which no agent can say what it used. turns_per_hour and minutes_per_day count there`
