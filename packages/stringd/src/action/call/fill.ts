import { type Failure, fail } from '@string-os/protocol'
import type { Declaration } from '../declare/declaration.ts'
import type { Field } from '../declare/field.ts'
import type { FieldPart, Pipe, VariablePart } from '../declare/template.ts'
import { Secrets } from '../run/secrets.ts'
import type { Powers } from './powers.ts'
import { checkValue, type FieldValue } from './value.ts'

/** What takes the place of a field or variable; `json` as a value of its own, `null` when there is none. */
export interface Filled {
  readonly ok: true
  readonly text: string
  readonly json: string
  /** What is judged, where `text` only stands for it. */
  readonly real?: string
}

export interface Filler {
  readonly fill: (part: FieldPart | VariablePart) => Filled | Failure
  /** The value of a field, its default counted in; null when it has none. */
  readonly value: (name: string) => FieldValue | Failure | null
  readonly secrets: Secrets
}

const EMPTY: Filled = { ok: true, text: '', json: 'null' }

/** Finds values for one call. With `dryRun` variables are looked for but do not appear. */
export function createFiller(
  { fields, template }: Declaration,
  values: ReadonlyMap<string, FieldValue>,
  powers: Powers,
  dryRun: boolean,
): Filler {
  const secrets = new Secrets()
  // A template may name the same thing thousands of times.
  const known = new Map<string, Filled | Failure>()
  const once = (key: string, find: () => Filled | Failure): Filled | Failure => {
    const found = known.get(key) ?? find()
    known.set(key, found)
    return found
  }
  const variable = (name: string): Filled | Failure => {
    const found = powers.variable(name)
    if (!found.ok) return found
    if (found.value.includes('\0') || !found.value.isWellFormed())
      return fail(
        'INVALID_VARIABLE',
        `The value of $${name} holds a NUL or half of a character`,
        `/set $${name} = "…" sets another`,
      )
    if (found.isPublic !== true) secrets.add(found.value)
    const text = dryRun && found.isPublic !== true ? Secrets.shown : found.value
    return { ok: true, text, json: JSON.stringify(text), real: found.value }
  }
  const value = (name: string): FieldValue | Failure | null => {
    const given = values.get(name)
    const field = fields.find((each) => each.name === name)
    if (given !== undefined || field === undefined || field.fallback === null) return given ?? null
    return defaultValue(field, field.fallback, variable, dryRun)
  }
  const fillField = (part: FieldPart): Filled | Failure => {
    const found = value(part.name)
    if (found === null) return EMPTY
    if (!found.ok) return found
    const one = part.index === null ? found : itemOf(found, part.index)
    const isPath = template.kind === 'cli' && fields.some(({ name, type }) => name === part.name && type === 'path')
    return part.pipes.reduce<Filled | Failure>(
      (filled, pipe) => (filled.ok ? through(pipe, filled.text, powers, values.has(part.name)) : filled),
      isPath ? asText(wholePath(one.text, powers)) : one,
    )
  }
  const fill = (part: FieldPart | VariablePart): Filled | Failure =>
    part.kind === 'variable'
      ? once(`$${part.name}`, () => variable(part.name))
      : once([part.name, part.index, ...part.pipes].join(' '), () => fillField(part))
  return { fill, value, secrets }
}

function itemOf({ items, text }: FieldValue, index: number): Filled {
  const item = (items ?? [text])[index]
  return item === undefined ? EMPTY : { ok: true, text: item, json: JSON.stringify(item) }
}

/** A default may name variables; it is then as secret as they are. */
function defaultValue(
  field: Field,
  fallback: string,
  variable: (name: string) => Filled | Failure,
  dryRun: boolean,
): FieldValue | Failure {
  let failure: Failure | null = null
  const text = fallback.replace(/\$([A-Za-z][A-Za-z0-9_]*)/g, (_whole, name: string) => {
    const found = variable(name)
    if (!found.ok) failure ??= found
    return found.ok ? found.text : ''
  })
  if (failure !== null) return failure
  if (dryRun && text !== fallback) return { ok: true, text, json: JSON.stringify(text), items: null }
  const checked = checkValue(field, text)
  if (checked.ok) return checked
  if (text === fallback)
    return fail(
      'INVALID_PARAMS',
      `Its author wrote a default that ${field.name} does not take: ${checked.system}`,
      `Give --${field.name} yourself. ${checked.hints.join('. ')}`,
    )
  return fail(
    'INVALID_PARAMS',
    `The default of ${field.name} names a variable whose value the field does not take`,
    `Give --${field.name} yourself, or set the variable to something that it takes`,
  )
}

function through(pipe: Pipe, text: string, { files, beside, folder }: Powers, isGiven: boolean): Filled | Failure {
  if (pipe === 'base64') return asText(Buffer.from(text).toString('base64'))
  if (files === null || beside === null)
    return fail(
      'ACTION_FORBIDDEN',
      'A page from the web reads no files',
      'Save it as a file of the workspace, or /install it',
    )
  const file = files.read(text, isGiven ? 'caller' : { beside, package: folder })
  if (!file.ok) return file
  if (pipe === 'base64file') return asText(file.bytes.toString('base64'))
  const content = file.bytes.toString('utf8')
  if (file.bytes.includes(0) || !Buffer.from(content).equals(file.bytes))
    return fail('NOT_TEXT', `${text} is not text`, 'The pipe base64file takes any file')
  return asText(content)
}

/** Bash never parses a value, so that `~` would be a name like any other; a program is told what it means everywhere else. */
function wholePath(path: string, { home }: Powers): string {
  return path.replace(/^~(?=\/|$)/, () => home)
}

function asText(text: string): Filled {
  return { ok: true, text, json: JSON.stringify(text) }
}
