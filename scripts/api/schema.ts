/** The part of JSON Schema that the description of the API uses; `problems.ts` checks exactly this. */
export interface Schema {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
}

export const text: Schema = { type: 'string' }
export const whole: Schema = { type: 'integer' }
export const number: Schema = { type: 'number' }
export const yesNo: Schema = { type: 'boolean' }
/** An object of which nothing is promised. */
export const anyObject: Schema = { type: 'object' }
export const time: Schema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

export function oneOf(...words: readonly string[]): Schema {
  return { type: 'string', enum: words }
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

export function list(items: Schema): Schema {
  return { type: 'array', items }
}

export function matching(pattern: string): Schema {
  return { type: 'string', pattern }
}

export function about(description: string, schema: Schema): Schema {
  return { ...schema, description }
}

/** These fields and no others; one whose name ends with `?` may be missing. */
export function object(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(fields)
  const required = names.filter((name) => !name.endsWith('?'))
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] ?? {}])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
