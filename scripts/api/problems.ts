import type { Schema } from './schema.ts'

/** Where a value is not what a schema says, one line each. Fields that nobody described are found too. */
export function problems(
  value: unknown,
  schema: Schema,
  shapes: Readonly<Record<string, Schema>>,
  at = 'answer',
): readonly string[] {
  const check = (inner: unknown, as: Schema, place: string) => problems(inner, as, shapes, place)
  if (schema.$ref !== undefined) {
    const shape = shapes[schema.$ref.replace('#/components/schemas/', '')]
    return shape === undefined ? [`${at}: there is no shape ${schema.$ref}`] : check(value, shape, at)
  }
  if (schema.anyOf !== undefined) {
    const found = schema.anyOf.map((each) => check(value, each, at))
    return found.some((list) => list.length === 0) ? [] : (found[0] ?? [])
  }
  if (schema.type !== undefined && !isOfType(value, schema.type)) {
    return [`${at}: expected ${schema.type}, got ${JSON.stringify(value)}`]
  }
  if (schema.enum !== undefined && !schema.enum.includes(String(value))) {
    return [`${at}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`]
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(value))) {
    return [`${at}: ${JSON.stringify(value)} does not match ${schema.pattern}`]
  }
  if (Array.isArray(value)) return value.flatMap((each, index) => check(each, schema.items ?? {}, `${at}[${index}]`))
  return isRecord(value) ? fieldProblems(value, schema, at, check) : []
}

function fieldProblems(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties = true }: Schema,
  at: string,
  check: (inner: unknown, as: Schema, place: string) => readonly string[],
): readonly string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name}: is missing`)
  const inner = Object.entries(value).flatMap(([name, each]) => {
    const schema = properties[name]
    if (schema !== undefined) return check(each, schema, `${at}.${name}`)
    return additionalProperties ? [] : [`${at}.${name}: is not described`]
  })
  return [...missing, ...inner]
}

function isOfType(value: unknown, type: NonNullable<Schema['type']>): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
