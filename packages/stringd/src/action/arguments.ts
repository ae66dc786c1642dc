import { type Failure, fail, nearest, quoted } from '@string-os/protocol'
import type { Declaration } from './declaration.ts'
import type { Field } from './field.ts'
import { actionUsage, isNeeded } from './schema.ts'
import { checkValue, type FieldValue, type Value, valueText } from './value.ts'

/** What a typed word stands for: variables and `@values` in place. */
export type ReadWord = (typed: string) => { readonly ok: true; readonly value: Value } | Failure

/** A call of an action, read. */
export interface CallArguments {
  readonly ok: true
  readonly values: ReadonlyMap<string, FieldValue>
  /** What belongs to no field, for `$ARGS`. */
  readonly rest: readonly string[]
  readonly help: boolean
  readonly dryRun: boolean
}

interface Collected {
  readonly given: Map<string, Value>
  readonly positional: Value[]
  help: boolean
  dryRun: boolean
}

/** Which field or flag a word names, and the value that stands in the same word. */
interface NamedFlag {
  readonly field: Field | 'help' | 'dry-run'
  readonly inline: string | undefined
}

/** How many of the words were read. */
interface Taken {
  readonly ok: true
  readonly words: number
}

/**
 * Positional words fill the fields in order, flags by name. Only what was typed can be a flag: a value that begins with
 * a dash is a value. Missing fields are left to `missingField`.
 */
export function readCall(
  declaration: Declaration,
  words: readonly string[],
  takesRest: boolean,
  read: ReadWord,
): CallArguments | Failure {
  const collected: Collected = { given: new Map(), positional: [], help: false, dryRun: false }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      const taken = addAll(words.slice(at + 1), read, collected)
      if (!taken.ok) return taken
      break
    }
    const flag = flagOf(declaration, word)
    if (flag === null && isFlag(word) && !takesRest) return unknownFlag(declaration, word)
    const taken = flag === null ? addAll([word], read, collected) : addFlag(flag, words[at + 1], read, collected)
    if (!taken.ok) return taken
    at += taken.words - 1
  }
  return assign(declaration, collected, takesRest)
}

/** The first field that a call lacks. */
export function missingField({ fields }: Declaration, { values }: CallArguments): Field | null {
  return fields.find((field) => isNeeded(field) && !values.has(field.name)) ?? null
}

export function needsField(declaration: Declaration, { name, description }: Field): Failure {
  const what = description === null ? '' : ` (${description})`
  return fail(
    'USAGE',
    `${declaration.called} needs ${name}${what}`,
    `Usage: ${actionUsage(declaration)}`,
    `${declaration.called} --help tells more`,
  )
}

function isFlag(word: string): boolean {
  return /^(--[A-Za-z_]|-[A-Za-z])/.test(word)
}

function flagOf({ fields }: Declaration, word: string): NamedFlag | null {
  const [, dashes, name, inline] = /^(--?)([A-Za-z_][A-Za-z0-9_-]*)(?:=(.*))?$/s.exec(word) ?? []
  if (name === undefined) return null
  const field = fields.find((each) => (dashes === '--' ? each.name : each.short) === name)
  if (field !== undefined) return { field, inline }
  const own =
    dashes === '--' && inline === undefined ? (['help', 'dry-run'] as const).find((each) => each === name) : undefined
  return own === undefined ? null : { field: own, inline }
}

function addFlag(
  { field, inline }: NamedFlag,
  next: string | undefined,
  read: ReadWord,
  collected: Collected,
): Taken | Failure {
  if (field === 'help' || field === 'dry-run') {
    collected[field === 'help' ? 'help' : 'dryRun'] = true
    return { ok: true, words: 1 }
  }
  const isSwitch = field.type === 'boolean' && inline === undefined && next !== 'true' && next !== 'false'
  const typed = isSwitch ? 'true' : (inline ?? next)
  if (typed === undefined)
    return fail('INVALID_PARAMS', `--${field.name} needs a value`, `--${field.name} VALUE, or --${field.name}=VALUE`)
  const value = read(typed)
  if (!value.ok) return value
  const before = field.type === 'tuple' ? collected.given.get(field.name) : undefined
  collected.given.set(field.name, before === undefined ? value.value : [before, value.value].flat())
  return { ok: true, words: isSwitch || inline !== undefined ? 1 : 2 }
}

function addAll(words: readonly string[], read: ReadWord, { positional }: Collected): Taken | Failure {
  for (const word of words) {
    const value = read(word)
    if (!value.ok) return value
    positional.push(value.value)
  }
  return { ok: true, words: words.length }
}

function assign(declaration: Declaration, collected: Collected, takesRest: boolean): CallArguments | Failure {
  const { given, positional, help, dryRun } = collected
  const open = declaration.fields.filter(({ name }) => !given.has(name))
  for (const [index, { name }] of open.entries()) {
    const value = positional[index]
    if (value !== undefined) given.set(name, value)
  }
  const rest = positional.slice(open.length).map(valueText)
  const [extra] = rest
  if (extra !== undefined && !takesRest) return tooMany(declaration, extra)
  const values = new Map<string, FieldValue>()
  for (const field of declaration.fields) {
    const value = given.get(field.name)
    if (value === undefined) continue
    const checked = checkValue(field, value)
    if (!checked.ok) return { ...checked, hints: [...checked.hints, `${declaration.called} --help tells more`] }
    values.set(field.name, checked)
  }
  const odd = rest.find((word) => word.includes('\0') || !word.isWellFormed())
  if (odd !== undefined)
    return fail(
      'INVALID_PARAMS',
      'An argument holds a NUL or half of a character',
      'Arguments are text: leave it out, or put it into a file and give its path',
    )
  return { ok: true, values, rest, help, dryRun }
}

function tooMany(declaration: Declaration, extra: string): Failure {
  const { called, fields } = declaration
  return fail(
    'INVALID_PARAMS',
    fields.length === 0
      ? `${called} takes no argument: ${quoted(extra)}`
      : `Too many arguments: ${quoted(extra)} (quote a value with blanks)`,
    `Usage: ${actionUsage(declaration)}`,
  )
}

function unknownFlag(declaration: Declaration, word: string): Failure {
  const name = word.replace(/=.*$/s, '')
  const names = declaration.fields.map((field) => `--${field.name}`)
  const close = nearest(name, names)
  return fail(
    'INVALID_PARAMS',
    `Unknown flag ${quoted(name)}`,
    ...(close === null ? [] : [`Did you mean ${close}?`]),
    `Usage: ${actionUsage(declaration)}`,
    'Behind -- every word is a value',
  )
}
