import type { Data } from '@string-os/protocol'
import type { Declaration } from './declaration.ts'
import { type Effects, sentFileText } from './effects.ts'
import { exampleCall } from './example.ts'
import type { Field } from './field.ts'
import { actionUsage } from './schema.ts'

/** How an action is called, as fields: and what a call does: what `actionSchema` tells. */
export function schemaData(declaration: Declaration, effects: Effects): Data {
  const { id, fields } = declaration
  const example = exampleCall(declaration)
  return { name: id, usage: actionUsage(declaration), example, fields: fields.map(fieldData), ...effectsData(effects) }
}

function effectsData({ command, reads, writes, unsafe }: Effects): Data {
  return {
    runs_command: command !== null,
    reads_files: reads.map((each) => sentFileText(each)),
    writes_files: writes,
    unsafe,
  }
}

function fieldData({ name, short, type, required, min, max, allowed, description, fallback }: Field): Data {
  return { name, short, type, required, min, max, allowed, description, default: fallback }
}
