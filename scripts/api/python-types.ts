import { clientName, shape } from './client-results.ts'
import type { Schema } from './schema.ts'

/** Shapes that calls of the Python client give. */
const GIVEN = [
  'Agent',
  'AgentActivity',
  'AgentRegistered',
  'AgentStanding',
  'TurnSummary',
  'Turn',
  'Usage',
  'Approval',
  'Event',
  'InboxItem',
  'Delivery',
  'ChanFlowReply',
  'Health',
  'DocumentMeta',
]

/** What the calls of the Python client give, as types for editors and checkers. */
export function pythonTypes(): string {
  const written = new Map<string, string>()
  for (const name of GIVEN) named(name, written)
  return [...written.values()].join('\n\n\n')
}

type Written = Map<string, string>

/** The type of a shape that has a name; words that are one of several stand where they are used. */
function named(name: string, written: Written): string {
  const schema = shape(name)
  const called = clientName(name)
  if (schema.properties === undefined) return typeOf(schema, called, written)
  return declared(called, schema, written)
}

function declared(called: string, schema: Schema, written: Written): string {
  if (written.has(called)) return called
  // One that has itself inside is not written again.
  written.set(called, '')
  const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
    const isRequired = schema.required?.includes(field) === true
    return { field, isRequired, type: typeOf(of, `${called}${camel(field)}`, written) }
  })
  written.delete(called)
  written.set(called, declaration(called, fields))
  return called
}

interface Field {
  readonly field: string
  readonly isRequired: boolean
  readonly type: string
}

/** A word of Python itself cannot stand as the name of a field in a class. */
const RESERVED = ['from']

function declaration(called: string, fields: readonly Field[]): string {
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields.filter(({ isRequired }) => !isRequired)
  if (optional.length === 0) return struct(called, required)
  const base = `_${called}`
  const rest = optional.map(({ field, type }) => `    ${field}: ${type}`)
  return [struct(base, required), `class ${called}(${base}, total=False):\n${rest.join('\n')}`].join('\n\n\n')
}

function struct(called: string, fields: readonly Field[]): string {
  if (!fields.some(({ field }) => RESERVED.includes(field)))
    return `class ${called}(TypedDict):\n${fields.map(({ field, type }) => `    ${field}: ${type}`).join('\n')}`
  const pairs = fields.map(({ field, type }) => `        "${field}": ${JSON.stringify(type).replaceAll('\\"', "'")},`)
  return `${called} = TypedDict(\n    "${called}",\n    {\n${pairs.join('\n')}\n    },\n)`
}

function typeOf(schema: Schema, called: string, written: Written): string {
  if (schema.$ref !== undefined) return named(schema.$ref.split('/').at(-1) ?? '', written)
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeOf(each, called, written)).join(' | ')
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((word) => JSON.stringify(word)).join(', ')}]`
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, called, written)}]`
  if (schema.properties !== undefined) return declared(called, schema, written)
  return KINDS[schema.type ?? 'object'] ?? 'Any'
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'dict[str, Any]',
  null: 'None',
}

/** `last_turn` → `LastTurn`. */
function camel(field: string): string {
  return field.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
