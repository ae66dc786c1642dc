import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { Filler } from './fill.ts'
import type { Powers } from './powers.ts'
import type { Place, ShellTemplate } from './shell-template.ts'

/** A script that names its values; the values themselves come through the environment. */
export interface Script {
  readonly ok: true
  readonly script: string
  readonly environment: ReadonlyMap<string, string>
  /** The script as a person would have typed it, without what is secret. */
  readonly shown: string
}

/** What bash sets itself, and what every process has: these are no variables of the document. */
const OWN = new Set(
  (
    'HOME PWD OLDPWD PATH USER LOGNAME SHELL TMPDIR LANG TERM TZ UID EUID PPID RANDOM SRANDOM SECONDS LINENO HOSTNAME ' +
    'IFS REPLY OPTARG OPTIND PIPESTATUS FUNCNAME BASH BASHPID BASH_VERSION BASH_REMATCH EPOCHSECONDS EPOCHREALTIME'
  ).split(' '),
)

/** These act before the first line of a script, or are ours: no document decides what they are. */
const BEFORE = /^(?:STRING_|BASH|LD_|DYLD_|SHELLOPTS$)/

const ASSIGNMENT = /(?:^|[\s;&|({`])([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]\n]*\])?\+?=((?:"[^"]*"|'[^']*'|[^\s;&|"'])*)/g
const FILLED = /(?:^|[\s;&|({`])(?:for|select|read|mapfile|readarray|getopts|local|declare)\s+([^;|&\n]*)/g

/** Puts names in the place of values, quoted as the place demands: whatever a value holds, it stays one text. */
export function fillScript(
  { parts, variables }: ShellTemplate,
  source: string,
  rest: readonly string[],
  { fill, secrets }: Filler,
  powers: Powers,
): Script | Failure {
  const environment = new Map<string, string>()
  const names = new Map<string, string>()
  const name = (value: string): string => {
    const known = names.get(value) ?? `STRING_VALUE_${names.size + 1}`
    names.set(value, known)
    environment.set(known, value)
    return known
  }
  const failed = addVariables(variables, source, environment, secrets, powers)
  if (failed !== null) return failed
  let script = ''
  let shown = ''
  for (const part of parts) {
    if (part.kind === 'text') {
      script += part.text
      shown += part.text
      continue
    }
    const filled = part.kind === 'field' ? fill(part.field) : { ok: true as const, text: rest.join(' ') }
    if (!filled.ok) return filled
    const values = part.kind === 'args' && part.alone ? rest : [filled.text]
    script += values.map((value) => reference(name(value), part.place)).join(' ')
    if (shown.length < LIMITS.actionOutputChars) shown += values.map((value) => literal(value, part.place)).join(' ')
  }
  return tooLarge(environment) ?? { ok: true, script, environment, shown }
}

function reference(name: string, place: Place): string {
  if (place === 'bare') return `"\${${name}}"`
  return place === 'single' ? `'"\${${name}}"'` : `\${${name}}`
}

/** The value as it would be written by hand. */
function literal(value: string, place: Place): string {
  const single = value.replaceAll("'", `'\\''`)
  if (place === 'single') return single
  if (place === 'bare') return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${single}'`
  return value.replace(place === 'double' ? /["$`\\]/g : /[$`\\]/g, '\\$&')
}

/** The variables of the document reach the script under their own names: those that it names, and all that are listed. */
function addVariables(
  named: ReadonlyMap<string, boolean>,
  source: string,
  environment: Map<string, string>,
  secrets: Filler['secrets'],
  powers: Powers,
): Failure | null {
  const assigned = assignedIn(source)
  const { listed, context } = powers
  for (const name of new Set([...listed, ...named.keys()])) {
    if (OWN.has(name) || BEFORE.test(name) || context.has(name)) continue
    const found = powers.variable(name)
    if (!found.ok) {
      const isMade = listed.includes(name) ? assigned.get(name) === 'made' : assigned.has(name)
      if (named.get(name) === false && !isMade) return found
      continue
    }
    if (found.value.includes('\0'))
      return fail('INVALID_VARIABLE', `The value of $${name} holds a NUL character`, `/set $${name} = "…" sets another`)
    if (found.isPublic !== true) secrets.add(found.value)
    environment.set(name, found.value)
  }
  return null
}

/** Names to which the script gives a value itself: one that it made, or only the one they had, as `KEY="$KEY" program` does. */
function assignedIn(source: string): ReadonlyMap<string, 'made' | 'passed on'> {
  const names = new Map<string, 'made' | 'passed on'>()
  for (const [, name = '', value = ''] of source.matchAll(ASSIGNMENT)) {
    const isRead = [...value.matchAll(/\$\{?([A-Za-z0-9_]+)/g)].some(([, read]) => read === name)
    if (!isRead || !names.has(name)) names.set(name, isRead ? 'passed on' : 'made')
  }
  for (const [, words = ''] of source.matchAll(FILLED))
    for (const name of words.split(/[\s=]+/)) if (!names.has(name)) names.set(name, 'made')
  return names
}

function tooLarge(environment: ReadonlyMap<string, string>): Failure | null {
  const sizes = [...environment].map(([name, value]) => ({ name, bytes: Buffer.byteLength(value) }))
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const large = sizes.find(({ bytes }) => bytes > LIMITS.actionValueBytes)
  if (large === undefined && total <= LIMITS.actionValuesBytes) return null
  const stored = large?.name.startsWith('STRING_VALUE_') === false ? [`$${large.name} is larger`] : []
  return fail(
    'TOO_LARGE',
    `A value for a command is at most ${LIMITS.actionValueBytes} bytes, all together ${LIMITS.actionValuesBytes}`,
    ...stored,
    'Put it into a file and give its path',
  )
}
