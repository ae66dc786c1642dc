import { readFileSync } from 'node:fs'
import {
  type Explanation,
  explainProfile,
  findingLine,
  handOnText,
  PROFILE_KEYS,
  type Profile,
  type Refused,
  wireNotes,
  withheldVariables,
} from '@string-os/bridge'
import { CAP_NAMES, quoted, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { envFilePath, howToSet } from '../../doctor/env.ts'
import type { Invocation } from '../arguments.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { acceptProfile } from './accept-profile.ts'
import { agentFolders } from './agent-turn.ts'
import { profileEnvironments, variableNames } from './profile-environment.ts'
import { warn } from './turn-output.ts'

/** What a shell answers, too, when there is no such program. */
const MISSING = 127

/** `string bridge check FILE`: what would run, or every problem with its place and its fix. */
export async function bridgeCheck(args: readonly string[], invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(args, { cwd: { type: 'string' }, json: { type: 'boolean' } })
  const [path, extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  if (path === undefined) throw usageError('Which profile? Give its FILE; string bridge init writes one')
  const folder = values.cwd ?? invocation.cwd
  const folders = agentFolders(folder)
  const profile = await acceptProfile(path, 'daemon', warn)
  const explanation = await explainBoth(profile, folders, config)
  for (const text of explanation.warnings) warn(text)
  if (explanation.problem !== null) throw cannotRun(path, explanation.problem)
  const withheld = withheldVariables(profile, variableNames(config))
  const isJson = values.json || invocation.format === 'json'
  if (isJson) console.log(JSON.stringify({ ...view(path, profile, explanation), withheld }))
  else {
    const table = [...rows(profile, explanation, folder !== null), ...withheldRow(profile, withheld, config)]
    console.log([`${path} is sound`, ...table].map(visibleLine).join('\n'))
  }
  return EXIT.ok
}

/** What would run from here, with what keeps it from that here or in the daemon that runs alone. */
async function explainBoth(
  profile: Profile,
  folders: ReturnType<typeof agentFolders>,
  config: Config,
): Promise<Explanation> {
  const { here, inDaemon } = profileEnvironments(config)
  const common = { howToSet: howToSet(config.dataDir), home: null }
  const own = await explainProfile(profile, { ...common, ...folders, environment: here })
  if (inDaemon === null) return own
  const other = await explainProfile(profile, { ...common, cwd: '/', environment: inDaemon })
  const problem = own.problem === null && other.problem !== null ? [other.problem.message] : []
  return {
    ...own,
    warnings: [
      ...own.warnings.map((text) => (other.warnings.includes(text) ? text : `run from here: ${text}`)),
      ...[...problem, ...other.warnings.filter((text) => !own.warnings.includes(text))].map(
        (text) => `in the daemon: ${text}`,
      ),
    ],
  }
}

/** A program that is missing or cannot be run is about `command`; what is refused otherwise, about `cwd`. */
function cannotRun(path: string, { exitCode, message }: Refused): CliError {
  const place = placeOf(exitCode === EXIT.usage ? 'cwd' : 'command', path)
  const fix = exitCode === MISSING ? './NAME is a program beside the profile.' : null
  return new CliError(EXIT.usage, findingLine(path, { ...place, message, fix }))
}

/** Where the value of a key stands. */
function placeOf(key: string, path: string): { line: number; column: number } {
  const lines = readFileSync(path, 'utf8').split('\n')
  const line = Math.max(
    lines.findIndex((text) => text.replace(/['"\s]/g, '').startsWith(`${key}:`)),
    0,
  )
  const column = /^[^:]*:\s*/.exec(lines[line] ?? '')?.[0].length ?? 0
  return { line: line + 1, column: column + 1 }
}

/** What a check tells programs. */
function view(path: string, profile: Profile, explanation: Explanation): object {
  const { streaming, wire, permission, timeoutMs, killGraceMs, maxReplyChars } = profile
  const { program, args, cwd, environmentNames, warnings } = explanation
  return {
    ok: true,
    profile: path,
    program,
    args,
    cwd,
    environment: environmentNames,
    timeout_ms: timeoutMs,
    kill_grace_ms: killGraceMs,
    max_reply_chars: maxReplyChars,
    streaming,
    wire,
    permission,
    daemon: daemonView(profile),
    warnings,
  }
}

function rows(
  profile: Profile,
  { program, args, cwd, environmentNames }: Explanation,
  isFolderNamed: boolean,
): string[] {
  const { streaming, wire, permission, permissionPolicy } = profile
  const table: readonly (readonly [string, string])[] = [
    ['program', program ?? ''],
    ['arguments', args.length === 0 ? '(none)' : args.map((word) => JSON.stringify(word)).join(' ')],
    ['folder', `${cwd ?? ''}${folderNote(profile, isFolderNamed)}`],
    ['environment', environmentNames.join(' ')],
    ['limits', limits(profile)],
    ['daemon', inDaemon(profile)],
    ['streaming', streaming ? 'yes: what it marks as partial; all else when it has ended' : 'no'],
    ['wire', wire],
    ...wireNotes(profile),
    ...(permission ? ([['permission', PERMISSION[permissionPolicy]]] as const) : []),
  ]
  return table.map(row)
}

function row([name, value]: readonly [string, string]): string {
  return `  ${name.padEnd(12)} ${value}`
}

/** What a person may have set for this agent, and it does not get. */
function withheldRow(profile: Profile, withheld: readonly string[], { dataDir }: Config): string[] {
  if (withheld.length === 0) return []
  const from = `${withheld.join(' ')} of ${envFilePath(dataDir)}`
  return [row(['not given', `${from}; this in the profile hands it on: ${handOnText(profile, withheld)}`])]
}

function folderNote({ cwd }: Profile, isNamed: boolean): string {
  if (isNamed) return cwd === null ? ' (as --cwd says)' : ` (as --cwd says; the profile says ${cwd})`
  return cwd === null ? ' (where you are; in the daemon, the home of the agent)' : ''
}

function limits({ timeoutMs, killGraceMs, maxReplyChars }: Profile): string {
  return `${timeoutMs / 1000} s, then TERM and after ${killGraceMs / 1000} s KILL; replies up to ${maxReplyChars} characters`
}

/** What only turns in the daemon heed. */
function daemonView(profile: Profile): object {
  const { wake, chanflow, maxSteps, turnTimeoutMs, primer, whenBusy, placement, approvalMs } = profile
  return {
    wake,
    chanflow,
    max_steps: maxSteps,
    turn_timeout_ms: turnTimeoutMs,
    primer,
    when_busy: whenBusy,
    placement,
    limits: profile.limits,
    approval_timeout_ms: approvalMs,
  }
}

/** The same for a person: what is as it always is goes without saying, but for the end of a turn. */
function inDaemon(profile: Profile): string {
  const { wake, chanflow, maxSteps, turnTimeoutMs, primer, whenBusy, placement, approvalMs } = profile
  const isAsked = profile.permission && profile.permissionPolicy === 'ask'
  const said = [
    wake === null ? '' : `wake: ${wake}`,
    ...CAP_NAMES.map((name) => capText(name, profile.limits[name])),
    `a turn ends after ${turnTimeoutMs / 1000} s`,
    chanflow ? `blocks are run, up to ${maxSteps} times in a turn${primer ? '' : ', without a primer'}` : '',
    whenBusy === PROFILE_KEYS.when_busy.fallback ? '' : `when busy: ${whenBusy}`,
    placement === PROFILE_KEYS.placement.fallback ? '' : `placement: ${placement}`,
    isAsked ? `a person has ${approvalMs / 1000} s to answer` : '',
  ]
  return said.filter((each) => each !== '').join('; ')
}

/** `turns_per_hour: 3` as `3 turns per hour`. */
function capText(name: string, most: number | undefined): string {
  if (most === undefined) return ''
  return `${most} ${name.replaceAll('_', ' ').replace('cost', 'dollars')}`
}

/** Who answers a request for permission. */
const PERMISSION = {
  ask: 'a person is asked, in string chat and by the daemon; elsewhere denied',
  allow: 'asked in string chat; elsewhere allow',
  deny: 'asked in string chat; elsewhere deny',
} as const
