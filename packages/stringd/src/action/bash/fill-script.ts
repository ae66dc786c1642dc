import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { Filler } from '../call/fill.ts'
import type { Powers } from '../call/powers.ts'
import { isGiven } from './given-variables.ts'
import type { Quoting, ScriptPart, ShellTemplate } from './script-part.ts'

/** A script that names its values; the values themselves come through the environment. */
export interface Script {
  readonly ok: true
  readonly script: string
  readonly environment: ReadonlyMap<string, string>
  /** The script as a person would have typed it, without what is secret. */
  readonly shown: string
}

/** What the names of values begin with that a call gives. */
export const OF_CALLER = 'STRING_VALUE_'

/** Puts names in the place of values, quoted as the place demands: whatever a value holds, it stays one text. */
export function fillScript(
  template: ShellTemplate,
  rest: readonly string[],
  { fill, secrets }: Filler,
  powers: Powers,
): Script | Failure {
  const environment = new Map<string, string>()
  const names = new Map<string, string>()
  const name = (value: string): string => {
    const known = names.get(value) ?? `${OF_CALLER}${names.size + 1}`
    names.set(value, known)
    environment.set(known, value)
    return known
  }
  const failed = addVariables(template, environment, secrets, powers)
  if (failed !== null) return failed
  const put = (
    parts: readonly ScriptPart[],
    limit: number,
    write: (value: string, place: Quoting) => string,
  ): { readonly ok: true; readonly text: string } | Failure => {
    let text = ''
    for (const part of parts) {
      if (part.kind === 'text') {
        text += part.text
        continue
      }
      const values = valuesOf(part, rest, fill)
      if (!values.ok) return values
      if (text.length < limit) text += values.items.map((value) => write(value, part.place)).join(' ')
    }
    return { ok: true, text }
  }
  const script = put(template.script, LIMITS.actionValuesBytes, (value, place) => reference(name(value), place))
  if (!script.ok) return script
  const shown = put(template.source, LIMITS.actionOutputChars, literal)
  if (!shown.ok) return shown
  const { text } = script
  return tooLarge(environment, text) ?? { ok: true, script: `${keep(names)}${text}`, environment, shown: shown.text }
}

/** The script keeps its values: programs have those that they are given, and none in their environment besides. */
function keep(names: ReadonlyMap<string, string>): string {
  return names.size === 0 ? '' : `export -n ${[...names.values()].join(' ')}; `
}

function valuesOf(
  part: Exclude<ScriptPart, { readonly kind: 'text' }>,
  rest: readonly string[],
  fill: Filler['fill'],
): { readonly ok: true; readonly items: readonly string[] } | Failure {
  if (part.kind === 'args') return { ok: true, items: part.alone ? rest : [rest.join(' ')] }
  const filled = fill(part.field)
  return filled.ok ? { ok: true, items: [filled.text] } : filled
}

function reference(name: string, place: Quoting): string {
  switch (place) {
    case 'bare':
      return `"\${${name}}"`
    case 'single':
      return `'"\${${name}}"'`
    case 'ansi':
      return `'"\${${name}}"$'`
    default:
      return `\${${name}}`
  }
}

/** The value as it would be written by hand. */
function literal(value: string, place: Quoting): string {
  const single = value.replaceAll("'", `'\\''`)
  switch (place) {
    case 'closed':
      return value
    case 'single':
      return single
    case 'bare':
      return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${single}'`
    case 'ansi':
      return value.replace(/[\\']/g, '\\$&')
    default:
      return value.replace(place === 'double' ? /["$`\\]/g : /[$`\\]/g, '\\$&')
  }
}

/** The variables of the document reach the script under their own names: those that it names, and all that are listed. */
function addVariables(
  { variables, assigned }: ShellTemplate,
  environment: Map<string, string>,
  secrets: Filler['secrets'],
  powers: Powers,
): Failure | null {
  const { listed, context } = powers
  for (const name of new Set([...listed, ...variables.keys()])) {
    if (isGiven(name) || context.has(name)) continue
    const found = powers.variable(name)
    if (!found.ok) {
      const isMade = listed.includes(name) ? assigned.get(name) === 'made' : assigned.has(name)
      if (variables.get(name) === false && !isMade) return found
      continue
    }
    if (found.value.includes('\0'))
      return fail('INVALID_VARIABLE', `The value of $${name} holds a NUL character`, `/set $${name} = "…" sets another`)
    if (found.isPublic !== true) secrets.add(found.value)
    environment.set(name, found.value)
  }
  return null
}

/** The variables that a script cannot do without, whoever has them. */
export function neededVariables({ variables, assigned }: ShellTemplate): string[] {
  const needed = [...variables].filter(([name, hasDefault]) => !(hasDefault || assigned.has(name) || isGiven(name)))
  return needed.map(([name]) => name)
}

function tooLarge(environment: ReadonlyMap<string, string>, script: string): Failure | null {
  const sizes = [...environment].map(([name, value]) => ({ name, bytes: Buffer.byteLength(value) }))
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, script.length)
  const large = sizes.find(({ bytes }) => bytes > LIMITS.actionValueBytes)
  if (large === undefined && total <= LIMITS.actionValuesBytes) return null
  const stored = large?.name.startsWith(OF_CALLER) === false ? [`$${large.name} is larger`] : []
  return fail(
    'TOO_LARGE',
    `A value for a command is at most ${LIMITS.actionValueBytes} bytes, all together ${LIMITS.actionValuesBytes}`,
    ...stored,
    'Put it into a file and give its path',
  )
}
