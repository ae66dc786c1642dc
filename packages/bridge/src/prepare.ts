import { dirname } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { fillIn, type PlaceholderValues } from './argv.ts'
import {
  agentVariables,
  inheritedVariables,
  type ProcessEnvironment,
  placeholderValues,
  profileVariables,
} from './env.ts'
import type { Profile } from './profile.ts'
import { findFolder, findProgram, isDirectory, mayEnter } from './program.ts'
import { OWNER_VARIABLE } from './reap.ts'
import type { TurnOptions, TurnRequest } from './turn.ts'
import { WIRES } from './wires.ts'

/** All that starting the process of a turn takes. */
export interface PreparedTurn {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** What standard input begins with; null: it is at its end from the start. */
  readonly input: string | null
}

export interface Refused {
  readonly exitCode: number
  readonly message: string
}

export interface Surroundings extends Pick<TurnOptions, 'cwd' | 'cwdOverride' | 'howToSet'> {
  readonly environment: ProcessEnvironment
  readonly extraEnv: Readonly<Record<string, string>>
  readonly owner: string
}

type Located =
  | { readonly ok: true; readonly program: string; readonly cwd: string }
  | { readonly ok: false; readonly refused: Refused }

export type Preparation =
  | { readonly ok: true; readonly prepared: PreparedTurn }
  | { readonly ok: false; readonly refused: Refused }

/** Decides what would run, and refuses what could not be handed over as it is. */
export function prepareTurn(
  profile: Profile,
  request: TurnRequest,
  surroundings: Surroundings,
  warn: (text: string) => void,
): Preparation {
  const input = WIRES[profile.wire].input(request, profile)
  const refused = refusedRequest(profile, request, input !== null)
  if (refused !== null) return { ok: false, refused: { exitCode: 2, message: refused } }
  const values = placeholderValues(profile, request)
  const env = turnEnvironment(profile, request, surroundings, values, warn)
  const found = locate(profile, env, surroundings)
  if (!found.ok) return found
  const { program, cwd } = found
  const args = [...profile.command.slice(1), ...profile.args].map((text) => fillIn(text, values))
  const tooLarge = tooLargeString(args, env)
  if (tooLarge !== null) return { ok: false, refused: { exitCode: 2, message: tooLarge } }
  return { ok: true, prepared: { program, args, cwd, env: inFolder(env, cwd), input } }
}

/** Shells pass on where they stood, which programs take for where they stand. */
function inFolder(env: Record<string, string>, cwd: string): Record<string, string> {
  return env.PWD === undefined ? env : { ...env, PWD: cwd }
}

/** Program and folder, which nobody but the profile chooses: of the placeholders only its own folder counts here. */
export function locate(
  profile: Profile,
  env: ProcessEnvironment,
  { cwd: fallback, cwdOverride }: Pick<TurnOptions, 'cwd' | 'cwdOverride'>,
): Located {
  const [word = ''] = profile.command
  const found = findProgram(inProfile(word, profile), profile, env)
  if (!found.ok) return { ok: false, refused: found }
  const own = profile.cwd === null ? null : findFolder(inProfile(profile.cwd, profile), profile, env)
  const cwd = cwdOverride ?? own ?? fallback
  if (isDirectory(cwd) && mayEnter(cwd)) return { ok: true, program: found.path, cwd }
  if (isDirectory(cwd))
    return {
      ok: false,
      refused: { exitCode: 2, message: `The folder ${cwd} may not be entered. Allow it with: chmod u+rwx ${cwd}` },
    }
  const where = cwd === own ? ` Check \`cwd\` in ${profile.path}.` : ''
  return { ok: false, refused: { exitCode: 2, message: `${cwd} is no folder to run an agent in.${where}` } }
}

function inProfile(text: string, { path }: Profile): string {
  return text.replaceAll('{{PROFILE_DIR}}', () => dirname(path))
}

export function turnEnvironment(
  profile: Profile,
  request: TurnRequest,
  surroundings: Surroundings,
  values: PlaceholderValues,
  warn: (text: string) => void,
): Record<string, string> {
  const { environment, extraEnv, owner } = surroundings
  const own = agentVariables(profile, request, environment)
  const added = profileVariables(profile, surroundings, values, warn)
  const reserved = Object.keys(added).filter((name) => name.startsWith('AGENT_'))
  if (reserved.length > 0)
    warn(`${reserved.join(', ')} in \`env\`: names with AGENT_ belong to the bridge and are ignored`)
  for (const name of reserved) delete added[name]
  return { ...inheritedVariables(profile, environment), ...added, ...extraEnv, ...own, [OWNER_VARIABLE]: owner }
}

/** Why a message cannot be handed over as it is, whatever runs; null when it can. */
export function refusedMessage(profile: Profile, request: TurnRequest): string | null {
  return refusedRequest(profile, request, WIRES[profile.wire].input(request, profile) !== null)
}

function refusedRequest(profile: Profile, request: TurnRequest, isInInput: boolean): string | null {
  const { message, sessionId, sessionName, fromUser, attachments } = request
  if (message === '' && attachments.length === 0) return 'The message is empty. Write something to the agent.'
  if (message.includes('\0')) return 'The message holds a NUL character, which no program can be given. Remove it.'
  const others = [sessionId ?? '', sessionName, fromUser, ...attachments.flatMap(({ url, name }) => [url, name ?? ''])]
  if (others.some((text) => text.includes('\0')))
    return 'A session, sender or attachment holds a NUL character, which no program can be given. Remove it.'
  if (isInInput || fits('AGENT_MESSAGE', message)) return null
  return `The message has ${Buffer.byteLength(message)} bytes, more than a variable can hold. Set \`stdin: message\` in ${profile.path}.`
}

function tooLargeString(args: readonly string[], env: Readonly<Record<string, string>>): string | null {
  if (args.some((text) => Buffer.byteLength(text) >= LIMITS.agentStringBytes))
    return 'The message is too large for an argument. Set `stdin: message` and remove {{MESSAGE}} from `args`.'
  const large = Object.entries(env).find(([name, value]) => !fits(name, value))
  return large === undefined
    ? null
    : `The variable ${large[0]} would be larger than ${LIMITS.agentStringBytes} bytes. Make it shorter.`
}

function fits(name: string, value: string): boolean {
  // A character has at most three bytes per unit.
  const most = name.length + 3 * value.length + 2
  return most <= LIMITS.agentStringBytes || Buffer.byteLength(`${name}=${value}`) < LIMITS.agentStringBytes
}
