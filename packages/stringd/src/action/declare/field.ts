import { nearest, type Problem, problem, quoted } from '@string-os/protocol'
import type { DocumentLine } from '../../document/document.ts'
import { type Constraint, readBracket } from './constraints.ts'

export const FIELD_TYPES = ['string', 'number', 'boolean', 'path', 'tuple'] as const

export type FieldType = (typeof FIELD_TYPES)[number]

/** One value that an action takes. */
export interface Field {
  readonly ok: true
  readonly name: string
  /** `-n`, without its dash. */
  readonly short: string | null
  readonly type: FieldType
  readonly required: boolean
  /** Of a number its value, of a tuple its items, of all else its characters. */
  readonly min: number | null
  readonly max: number | null
  readonly allowed: readonly string[] | null
  readonly description: string | null
  /** May name `$VARIABLES`. */
  readonly fallback: string | null
}

/** What is wrong with a part of an action. */
export interface Fault extends Problem {
  /** How it can be written, or what else to do: one that does not say so does not compile. */
  readonly instead: string
  /** In which line of that part it is, counted from 0. */
  readonly row?: number
  /** What else is wrong with it. */
  readonly others?: readonly Fault[]
}

/** What is wrong with a block, and in which line of which document. */
export interface Misread extends Fault, DocumentLine {
  readonly others?: readonly Misread[]
}

export function fault(reason: string, instead: string): Problem & Pick<Fault, 'instead'> {
  return { ...problem(reason), instead }
}

/** The first mistake, with the others behind it. */
export function together<T extends Fault>(wrong: readonly [T, ...T[]]): T {
  const [first, ...others] = wrong
  return others.length === 0 ? first : { ...first, others }
}

/** Each mistake on its own. */
export function apart({ others = [], ...first }: Fault): Fault[] {
  return [first, ...others]
}

export function isAny<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0
}

const HEAD = /^([A-Za-z_][A-Za-z0-9_-]*)\s*(?:,\s*-([A-Za-z])\s*)?:\s*([A-Za-z]+)\s*/
const DESCRIPTION = /^"((?:[^"\\]|\\.)*)"\s*/
const DEFAULT = /^=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'(]\S*))\s*/
const CHOICES = /^[^|\s]+(\s*\|\s*[^|\s]+)+$/

/** What the types are called elsewhere. */
const ALIASES: ReadonlyMap<string, FieldType> = new Map([
  ['int', 'number'],
  ['integer', 'number'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['text', 'string'],
  ['str', 'string'],
  ['file', 'path'],
  ['array', 'tuple'],
  ['list', 'tuple'],
])

const HOW = 'Write name: type (required, min:1, max:9) "what it is" = "default", all behind the type as needed'

/** A field as far as it can be read, null where it has not even a name, and all that is wrong with it. */
interface JudgedField {
  readonly field: Field | null
  readonly wrong: readonly Fault[]
}

/** `name[, -x]: type`, then in any order `(constraints)`, `"description"`, `= "default"`; what is misspelt is taken for what it is close to. */
export function judgeField(line: string): JudgedField {
  const head = HEAD.exec(line)
  const untyped = head === null ? withoutType(line) : null
  if (untyped !== null) return untyped
  if (head === null) return { field: null, wrong: [notAField(line)] }
  const [whole, name = '', short = null, typeName = ''] = head
  const known = FIELD_TYPES.find((each) => each === typeName)
  const type = known ?? meantType(typeName)
  const parts = readParts(line.slice(whole.length))
  const { wrong, min, max, ...constraints } = readConstraints(parts.constraints)
  const unknown = known === undefined ? [unknownType(name, typeName, type, constraints.allowed)] : []
  const { description, fallback } = parts
  const choices = description !== null && CHOICES.test(description) ? splitChoices(description) : null
  const field: Field = {
    ok: true,
    name,
    short,
    type: type ?? 'string',
    required: constraints.required,
    // What they bound depends on the type.
    ...(type === null ? { min: null, max: null } : { min, max }),
    allowed: constraints.allowed ?? choices,
    description: choices === null ? description : null,
    fallback,
  }
  return {
    field,
    wrong: [...unknown, ...parts.wrong, ...wrong],
  }
}

/** What keeps a line from being a field: its name, where the rest is one. */
function notAField(line: string): Fault {
  const [, name = '', short = '', rest = ''] = /^([^:,]+?)\s*(?:,\s*(\S+)\s*)?:\s*([A-Za-z].*)$/.exec(line) ?? []
  const isNamed = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)
  if (isNamed && short !== '')
    return fault(`${short} is no short name: that is a dash and one letter`, `Write ${name}, -${name[0]}: ${rest}`)
  if (name === '' || isNamed) return fault('not a field: a field is `name: type`', HOW)
  // As an item of a list of YAML.
  const listed = /^[-*+]\s+([A-Za-z_][A-Za-z0-9_-]*)$/.exec(name)?.[1]
  const meant = listed ?? name.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^(?=[^A-Za-z_])/, '_')
  const rule = 'letters, digits, _ and -, and begins with a letter or _'
  return fault(`${quoted(name)} cannot be the name of a field: that is ${rule}`, `Write ${meant}: ${rest}`)
}

/** A field whose brackets stand where its type does. */
function withoutType(line: string): JudgedField | null {
  const [, name = '', short = '', rest = ''] = /^([A-Za-z_][\w-]*)\s*(,\s*-[A-Za-z])?\s*:\s*(.*)$/.exec(line) ?? []
  if (readBracket(rest) === null) return null
  const typed = `${name}${short}: string ${rest}`
  const { field, wrong } = judgeField(typed)
  return { field, wrong: [fault(`${name} has no type; types: ${FIELD_TYPES.join(', ')}`, `Write ${typed}`), ...wrong] }
}

/** Which type a word is close to. */
export function meantType(typeName: string): FieldType | null {
  const close = nearest(typeName, FIELD_TYPES)
  return FIELD_TYPES.find((each) => each === close) ?? ALIASES.get(typeName.toLowerCase()) ?? null
}

function unknownType(
  name: string,
  typeName: string,
  meant: FieldType | null,
  allowed: readonly string[] | null,
): Fault {
  const text = allowed === null ? `${name}: string, for any text` : `${name}: string (${allowed.join('|')})`
  const close = meant === null ? `Write ${text}` : `Did you mean ${name}: ${meant}?`
  const instead = name === 'unsafe' ? 'Write unsafe: true, where values may run as code' : close
  return fault(`${typeName} is no type; types: ${FIELD_TYPES.join(', ')}`, instead)
}

function unknownConstraint(word: string, meant: string | null): Fault {
  const [, bound] = /^(min|max)\b/i.exec(word) ?? []
  const instead = meant === null ? HOW : `Did you mean (${meant})?`
  return fault(
    `${word} is no constraint; constraints: required, optional, min:N, max:N, a|b|c`,
    bound === undefined ? instead : `Write (${bound.toLowerCase()}:N), with a number and a colon`,
  )
}

interface FieldParts {
  wrong: Fault[]
  constraints: Constraint[]
  description: string | null
  fallback: string | null
}

function readParts(text: string): FieldParts {
  const parts: FieldParts = { wrong: [], constraints: [], description: null, fallback: null }
  let rest = text
  let before = ''
  while (rest !== '') {
    const constraints = readBracket(rest)
    const [description, fallback] = [DESCRIPTION.exec(rest), DEFAULT.exec(rest)]
    const match = description ?? fallback
    if (constraints === null && match === null) return { ...parts, wrong: [unreadable(rest, before)] }
    if (constraints !== null) parts.constraints.push(...constraints.items)
    if (description !== null && parts.description !== null)
      parts.wrong.push(fault('two descriptions', 'Write one, in one pair of quotes'))
    if (description !== null) parts.description ??= unquote(description[1] ?? '')
    if (fallback !== null)
      parts.fallback = fallback[1] === undefined ? (fallback[2] ?? fallback[3] ?? '') : unquote(fallback[1])
    before = match?.[0] ?? ''
    rest = constraints?.rest ?? rest.slice(before.length)
  }
  return parts
}

/** `before` is what was read in front of it, as it is written. */
function unreadable(rest: string, before: string): Fault {
  const [, single] = /^'([^']*)'/.exec(rest) ?? []
  const said = `cannot read ${rest}`
  const [, mark = '', inner] = before.endsWith('"') ? (/^(=\s*)?"(.*)"/.exec(before + rest) ?? []) : []
  if (inner !== undefined)
    return fault(`${said}: the quotes end before it`, `Write ${mark}"${inner.replace(/\\?"/g, '\\"')}"`)
  const [, words] = /^=\s*([^\s"'(][^"(]*)/.exec(before + rest) ?? []
  if (words !== undefined && /^[^"(]/.test(rest))
    return fault(`${said}: a default of several words stands in quotes`, `Write = "${words.trim()}"`)
  if (single !== undefined) return fault(`${said}: a description stands in double quotes`, `Write "${single}"`)
  if (rest.startsWith('(')) return fault(`${said}: the ( is not closed`, 'Close it behind what it holds: (required)')
  if (rest.startsWith('"')) return fault(`${said}: the " is not closed`, `Write "…" with both quotes on the line`)
  return fault(said, HOW)
}

type Constraints = Pick<Field, 'required' | 'min' | 'max' | 'allowed'> & { readonly wrong: readonly Fault[] }

function readConstraints(items: readonly Constraint[]): Constraints {
  const wrong: Fault[] = []
  const found = {
    required: false,
    min: null as number | null,
    max: null as number | null,
    allowed: null as string[] | null,
  }
  for (const { word, choices } of items) {
    const [, bound, limit] = /^(min|max)\s*:\s*(-?\d+(?:\.\d+)?)$/.exec(word) ?? []
    const meant = nearest(word, ['required', 'optional'])
    if (bound === 'min' || bound === 'max') found[bound] = Number(limit)
    else if (choices.length > 1) found.allowed = [...choices]
    else {
      if (word !== 'required' && word !== 'optional') wrong.push(unknownConstraint(word, meant))
      if (meant !== null) found.required = meant === 'required'
    }
  }
  const [first] = items
  const isList = wrong.length > 1 && wrong.length === items.length
  return { ...found, wrong: isList && first !== undefined ? [choicesWithCommas(items)] : wrong }
}

/** `(x, y, z)`: nothing in it is a constraint, so that it is one mistake. */
function choicesWithCommas(items: readonly Constraint[]): Fault {
  const words = items.map(({ word }) => word)
  return fault(
    `${words.join(', ')} are no constraints; constraints: required, optional, min:N, max:N, a|b|c`,
    `For choices write (${words.join('|')})`,
  )
}

function splitChoices(text: string): string[] {
  return text.split('|').map((choice) => choice.trim())
}

function unquote(text: string): string {
  return text.replace(/\\(["\\])/g, '$1')
}
