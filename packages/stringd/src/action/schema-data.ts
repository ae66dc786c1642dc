import type { Data } from '@string-os/protocol'
import type { Declaration } from './declaration.ts'
import type { Field } from './field.ts'
import { actionUsage } from './schema.ts'

/** How an action is called, as fields: what `actionSchema` tells, and nothing of what the action does. */
export function schemaData(declaration: Declaration): Data {
  const { id, fields } = declaration
  return { name: id, usage: actionUsage(declaration), fields: fields.map(fieldData) }
}

function fieldData({ name, short, type, required, min, max, allowed, description, fallback }: Field): Data {
  return { name, short, type, required, min, max, allowed, description, default: fallback }
}
