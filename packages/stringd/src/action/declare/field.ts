import { nearest, type Problem, problem } from '@string-os/protocol'

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

/** What is wrong with a block, and in which line of the document. */
export interface Misread extends Fault {
  readonly line: number
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

export function isAny<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0
}

const HEAD = /^([A-Za-z_][A-Za-z0-9_-]*)\s*(?:,\s*-([A-Za-z])\s*)?:\s*([A-Za-z]+)\s*/
const CONSTRAINTS = /^\(([^)]*)\)\s*/
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

/** `name[, -x]: type`, then in any order `(constraints)`, `"description"`, `= "default"`. */
export function parseField(line: string): Field | Fault {
  const head = HEAD.exec(line)
  if (head === null) return fault('not a field: a field is `name: type`', HOW)
  const [whole, name = '', short = null, typeName = ''] = head
  const type = FIELD_TYPES.find((known) => known === typeName)
  if (type === undefined) return unknownType(name, typeName)
  const parts = readParts(line.slice(whole.length))
  if (!parts.ok) return parts
  const constraints = readConstraints(parts.constraints)
  if (!constraints.ok) return constraints
  const { description } = parts
  const choices = description !== null && CHOICES.test(description) ? splitChoices(description) : null
  return {
    ...constraints,
    name,
    short,
    type,
    allowed: constraints.allowed ?? choices,
    description: choices === null ? description : null,
    fallback: parts.fallback,
  }
}

function unknownType(name: string, typeName: string): Fault {
  const meant = nearest(typeName, FIELD_TYPES) ?? ALIASES.get(typeName.toLowerCase())
  const instead = meant === undefined ? `Write ${name}: string, for any text` : `Did you mean ${name}: ${meant}?`
  return fault(`${typeName} is no type; types: ${FIELD_TYPES.join(', ')}`, instead)
}

function unknownConstraint(word: string): Fault {
  const [, bound] = /^(min|max)\b/i.exec(word) ?? []
  const meant = nearest(word, ['required', 'optional'])
  const instead = meant === null ? HOW : `Did you mean (${meant})?`
  return fault(
    `${word} is no constraint; constraints: required, optional, min:N, max:N, a|b|c`,
    bound === undefined ? instead : `Write (${bound.toLowerCase()}:N), with a number and a colon`,
  )
}

interface FieldParts {
  readonly ok: true
  constraints: string[]
  description: string | null
  fallback: string | null
}

function readParts(text: string): FieldParts | Fault {
  const parts: FieldParts = { ok: true, constraints: [], description: null, fallback: null }
  let rest = text
  while (rest !== '') {
    const [constraints, description, fallback] = [CONSTRAINTS.exec(rest), DESCRIPTION.exec(rest), DEFAULT.exec(rest)]
    const match = constraints ?? description ?? fallback
    if (match === null) return fault(`cannot read ${rest}`, HOW)
    if (constraints !== null) parts.constraints.push(...(constraints[1] ?? '').split(','))
    if (description !== null) parts.description = unquote(description[1] ?? '')
    if (fallback !== null)
      parts.fallback = fallback[1] === undefined ? (fallback[2] ?? fallback[3] ?? '') : unquote(fallback[1])
    rest = rest.slice(match[0].length)
  }
  return parts
}

type Constraints = Pick<Field, 'ok' | 'required' | 'min' | 'max' | 'allowed'>

function readConstraints(words: readonly string[]): Constraints | Fault {
  const found = {
    ok: true as const,
    required: false,
    min: null as number | null,
    max: null as number | null,
    allowed: null as string[] | null,
  }
  for (const word of words.map((each) => each.trim()).filter((each) => each !== '')) {
    const [, bound, limit] = /^(min|max)\s*:\s*(-?\d+(?:\.\d+)?)$/.exec(word) ?? []
    if (word === 'required' || word === 'optional') found.required = word === 'required'
    else if (bound === 'min' || bound === 'max') found[bound] = Number(limit)
    else if (word.includes('|')) found.allowed = splitChoices(word)
    else return unknownConstraint(word)
  }
  return found
}

function splitChoices(text: string): string[] {
  return text.split('|').map((choice) => choice.trim())
}

function unquote(text: string): string {
  return text.replace(/\\(["\\])/g, '$1')
}
