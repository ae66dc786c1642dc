import { count, type Failure, fail, quoted } from '@string-os/protocol'
import { choiceText } from '../declare/constraints.ts'
import type { Field } from '../declare/field.ts'

/** What a caller or a response gives: a text, or several of them as one tuple. */
export type Value = string | readonly string[]

/** A value that its field has taken. */
export interface FieldValue {
  readonly ok: true
  readonly text: string
  /** As a JSON value of the field's type. */
  readonly json: string
  /** Of a tuple. */
  readonly items: readonly string[] | null
}

const NUMBER = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/
/** So far a number of double precision reaches. */
const MOST_SHIFT = 308
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function valueText(value: Value): string {
  return typeof value === 'string' ? value : value.join(', ')
}

/** Reads a value as its field has it, or says what the field takes. */
export function checkValue(field: Field, value: Value): FieldValue | Failure {
  const text = valueText(value)
  if (text.includes('\0')) return wrong(field, 'a NUL character', TEXT)
  if (!text.isWellFormed()) return wrong(field, 'half of a character', TEXT)
  const odd = notAllowed(field, value, text)
  if (odd !== null && field.allowed !== null)
    return wrong(field, quoted(odd), `Allowed: ${field.allowed.map(choiceText).join(', ')}`)
  const read = readValue(field, value, text)
  if (read === null) return wrong(field, quoted(text), `${field.name} is ${KINDS[field.type]}`)
  const bounds = outOfBounds(field, read)
  return bounds === null ? read : wrong(field, quoted(text), bounds)
}

/** What is none of the choices: of a tuple an item, whatever the others are. */
function notAllowed({ type, allowed }: Field, value: Value, text: string): string | null {
  if (allowed === null) return null
  const items = type === 'tuple' ? itemsOf(value) : [text]
  return items.find((item) => !allowed.includes(item)) ?? null
}

function itemsOf(value: Value): readonly string[] {
  return typeof value === 'string' ? splitTuple(value) : value
}

function readValue({ type, allowed }: Field, value: Value, text: string): FieldValue | null {
  switch (type) {
    case 'number':
      return readNumber(text, allowed !== null)
    case 'boolean':
      return text === 'true' || text === 'false' ? { ok: true, text, json: text, items: null } : null
    case 'tuple': {
      const items = itemsOf(value)
      return { ok: true, text: items.join(','), json: JSON.stringify(items), items }
    }
    default:
      return { ok: true, text, json: JSON.stringify(text), items: typeof value === 'string' ? null : value }
  }
}

/** In plain digits, which every program reads alike: 007 is octal to some, and 1e3 a word. A choice stays as its author wrote it. */
function readNumber(text: string, isChoice: boolean): FieldValue | null {
  const [whole, sign = '', before = '', after = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const shift = Number(exponent)
  if (whole === undefined || Math.abs(shift) > MOST_SHIFT) return null
  const digits = `${'0'.repeat(Math.max(0, -shift))}${before}${after}${'0'.repeat(Math.max(0, shift))}`
  const point = before.length + Math.max(0, -shift) + shift
  const fraction = digits.slice(point, digits.length - Math.max(0, Math.min(shift, digits.length - point)))
  const plain = `${sign}${digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`
  return { ok: true, text: isChoice ? text : plain, json: jsonNumber(text), items: null }
}

/** As it was written where JSON knows it so: a long number keeps all its digits. */
function jsonNumber(text: string): string {
  return JSON_NUMBER.test(text) ? text : JSON.stringify(Number(text))
}

/** `(a, b)` or `a,b`. */
function splitTuple(text: string): string[] {
  const inner = text.trim().replace(/^\((.*)\)$/s, '$1')
  return inner.split(',').map((item) => item.trim())
}

function outOfBounds({ type, min, max }: Field, { text, items }: FieldValue): string | null {
  const isNumber = type === 'number'
  const size = isNumber ? Number(text) : (items?.length ?? Array.from(text).length)
  const many = (bound: number): string =>
    isNumber ? String(bound) : count(bound, type === 'tuple' ? 'item' : 'character')
  if (min !== null && size < min) return `At least ${many(min)}`
  return max !== null && size > max ? `At most ${many(max)}` : null
}

const TEXT = 'Values are text'

export const KINDS: Readonly<Record<Field['type'], string>> = {
  string: 'a string',
  path: 'a path',
  tuple: 'a tuple',
  number: 'a number, as 3 or -0.5',
  boolean: 'a boolean: true or false',
}

function wrong({ name }: Field, what: string, hint: string): Failure {
  return fail('INVALID_PARAMS', `${name} cannot be ${what === '' ? '""' : what}`, hint)
}
