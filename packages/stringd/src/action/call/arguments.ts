import { eachWord, type Failure, type FlagGrammar, type FlagTable, fail, nearest, quoted } from '@string-os/protocol'
import type { Declaration } from '../declare/declaration.ts'
import type { Field } from '../declare/field.ts'
import { OWN_FLAGS } from '../declare/own-flags.ts'
import { actionUsage, isNeeded } from '../declare/schema.ts'
import { checkValue, type FieldValue, KINDS, type Value, valueText } from './value.ts'

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
  /** Flags of a boolean that a word stands behind which is neither `true` nor `false`, by the place of that word. */
  readonly behind: Map<number, Field>
  /** `--help` and `--dry-run`. */
  readonly own: Set<string>
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
  const collected: Collected = { given: new Map(), positional: [], behind: new Map(), own: new Set() }
  let alone: Field | null = null
  for (const word of eachWord(flagsOf(declaration), GRAMMAR, words)) {
    const field = declaration.fields.find(({ name }) => name === word.name)
    if (!word.ok && field !== undefined) return needsValue(declaration, field)
    if (!(word.ok || takesRest)) return unknownFlag(declaration, words[word.at] ?? '')
    if (word.ok && word.name !== null && field === undefined) collected.own.add(word.name)
    else {
      const typed = word.ok ? word.value : (words[word.at] ?? '')
      const value = read(typed === true ? 'true' : typed)
      if (!value.ok) return value
      if (field === undefined && alone !== null) collected.behind.set(collected.positional.length, alone)
      give(field, value.value, collected)
    }
    alone = word.ok && word.value === true ? (field ?? null) : null
  }
  return assign(declaration, collected, takesRest)
}

/** What a call that is still typed says of its fields, so far. */
interface BegunCall {
  /** The field whose value the next word is; null where that belongs to no flag. */
  readonly waiting: Field | null
  /** Fields that no word has filled yet, in the order in which words do. */
  readonly left: readonly Field[]
}

export function readBegun(declaration: Declaration, words: readonly string[]): BegunCall {
  const collected: Pick<Collected, 'given' | 'positional'> = { given: new Map(), positional: [] }
  let waiting: Field | null = null
  for (const word of eachWord(flagsOf(declaration), GRAMMAR, words)) {
    const field = declaration.fields.find(({ name }) => name === word.name)
    const isOpen = word.ok ? word.value === true : word.reason === 'valueless'
    waiting = isOpen ? (field ?? null) : null
    if (word.ok && (field !== undefined || word.name === null)) give(field, String(word.value), collected)
  }
  const given = new Set(waiting === null ? [] : [waiting.name])
  const { open } = placed(declaration, collected)
  const left = open.slice(collected.positional.length).filter(({ name }) => !given.has(name))
  return { waiting, left }
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

const OWN_ROWS: FlagTable = Object.fromEntries([...OWN_FLAGS].map((name) => [name, { type: 'boolean' }]))

const GRAMMAR: FlagGrammar = {
  pattern: /^(?:--([A-Za-z_][^=]*)(?:=(.*))?|-([A-Za-z][^=]*)(?:=(.*))?)$/s,
  hasEnd: true,
}

function flagsOf({ fields }: Declaration): FlagTable {
  const rows = fields.map(({ name, short, type }) => {
    return [name, { short, type: type === 'boolean' ? 'truth' : 'string' }] as const
  })
  return { ...OWN_ROWS, ...Object.fromEntries(rows) }
}

/** A field of several values takes one more; a word of no flag waits for the fields that are left. */
function give(
  field: Field | undefined,
  value: Value,
  { given, positional }: Pick<Collected, 'given' | 'positional'>,
): void {
  const before = field?.type === 'tuple' ? given.get(field.name) : undefined
  if (field === undefined) positional.push(value)
  else given.set(field.name, before === undefined ? value : [before, value].flat())
}

function needsValue(declaration: Declaration, { name }: Field): Failure {
  return fail(
    'INVALID_PARAMS',
    `--${name} needs a value`,
    `--${name} VALUE, or --${name}=VALUE`,
    `Usage: ${actionUsage(declaration)}`,
  )
}

function assign(declaration: Declaration, collected: Collected, takesRest: boolean): CallArguments | Failure {
  const { own } = collected
  const { open, given, rest } = placed(declaration, collected)
  const [extra] = rest
  const atFlag = collected.behind.get(open.length)
  if (extra !== undefined && !takesRest && atFlag !== undefined) return notTruth(declaration, atFlag, extra)
  if (extra !== undefined && !takesRest) return tooMany(declaration, extra, together(declaration, open, collected))
  const values = checked(declaration, given)
  if (!values.ok) {
    const { field, failure } = values
    const flag = collected.behind.get(open.indexOf(field))
    if (flag !== undefined) return notTruth(declaration, flag, valueText(given.get(field.name) ?? ''))
    // The words of one value, without quotes, fall into the fields that follow.
    const before = isOfItsType(field, given.get(field.name) ?? '')
      ? []
      : open.slice(0, Math.max(0, open.indexOf(field)))
    const meant = together(declaration, before, collected)
    const quotes = meant === null ? [] : [`Did you mean ${declaration.called} ${meant}?`]
    return { ...failure, hints: [...failure.hints, ...quotes, `${declaration.called} --help tells more`] }
  }
  const odd = rest.find((word) => word.includes('\0') || !word.isWellFormed())
  if (odd !== undefined)
    return fail(
      'INVALID_PARAMS',
      'An argument holds a NUL or half of a character',
      'Arguments are text: leave it out, or put it into a file and give its path',
    )
  return { ok: true, values: values.items, rest, help: own.has('help'), dryRun: own.has('dry-run') }
}

/** A word that no field takes, and that stands where a flag would have taken `true` or `false`. */
function notTruth(declaration: Declaration, field: Field, word: string): Failure {
  const hints = [`--${field.name} alone is true`, `${declaration.called} --help tells more`]
  const { name } = field
  return fail('INVALID_PARAMS', `${name} cannot be ${quoted(word)}`, `${name} is ${KINDS.boolean}`, ...hints)
}

interface Placed {
  /** Fields that no flag has named. */
  readonly open: readonly Field[]
  readonly given: ReadonlyMap<string, Value>
  readonly rest: readonly string[]
}

function placed(
  { fields }: Declaration,
  { given: named, positional }: Pick<Collected, 'given' | 'positional'>,
): Placed {
  const open = fields.filter(({ name }) => !named.has(name))
  const given = new Map(named)
  for (const [index, { name }] of open.entries()) {
    const value = positional[index]
    if (value !== undefined) given.set(name, value)
  }
  return { open, given, rest: positional.slice(open.length).map(valueText) }
}

interface Refused {
  readonly ok: false
  readonly field: Field
  readonly failure: Failure
}

function checked(
  { fields }: Declaration,
  given: ReadonlyMap<string, Value>,
): { readonly ok: true; readonly items: ReadonlyMap<string, FieldValue> } | Refused {
  const items = new Map<string, FieldValue>()
  for (const field of fields) {
    const value = given.get(field.name)
    if (value === undefined) continue
    const read = checkValue(field, value)
    if (!read.ok) return { ok: false, field, failure: read }
    items.set(field.name, read)
  }
  return { ok: true, items }
}

/** What only goes beyond the limits of its field was meant for it. */
function isOfItsType(field: Field, value: Value): boolean {
  return field.allowed === null && checkValue({ ...field, min: null, max: null }, value).ok
}

/** The call with what may be one value in quotes, where that is accepted: what is too much belongs to the last field that takes text. */
function together(
  declaration: Declaration,
  open: readonly Field[],
  { given, positional, own }: Collected,
): string | null {
  const before = open.length - 1
  const words = positional.map(valueText)
  const [first, value] = [words.slice(0, Math.max(0, before)), words.slice(before).join(' ')]
  if (open[before]?.type !== 'string' || own.size > 0 || given.size > 0) return null
  if (/["\\]/.test(value) || words.slice(before).includes('') || first.some((word) => !/^[\w./:@+-]+$/.test(word)))
    return null
  const meant = placed(declaration, { given, positional: [...first, value] })
  const values = checked(declaration, meant.given)
  const isWhole = declaration.fields.every((field) => !isNeeded(field) || meant.given.has(field.name))
  return values.ok && isWhole ? [...first, `"${value}"`].join(' ') : null
}

function tooMany(declaration: Declaration, extra: string, meant: string | null): Failure {
  const { called, fields } = declaration
  return fail(
    'INVALID_PARAMS',
    fields.length === 0
      ? `${called} takes no argument: ${quoted(extra)}`
      : `Too many arguments: ${quoted(extra)} (quote a value with blanks)`,
    ...(meant === null ? [] : [`Did you mean ${called} ${meant}?`]),
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
