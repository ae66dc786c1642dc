import { checkValue } from '../call/value.ts'
import type { Declaration } from './declaration.ts'
import type { Field } from './field.ts'

/** A line that can be typed as it stands, with a value that each field takes; null where there is nothing to fill in, or nothing fits. */
export function exampleCall({ called, fields }: Declaration): string | null {
  const isPossible = fields.every((field) => checkValue(field, exampleValue(field)).ok)
  return fields.length === 0 || !isPossible ? null : [called, ...fields.map(exampleField)].join(' ')
}

function exampleField(field: Field): string {
  const value = exampleValue(field)
  if (field.type === 'boolean' && value === 'true') return `--${field.name}`
  return `--${field.name} ${/^[\w@%+:,./-]+$/.test(value) && !value.startsWith('@') ? value : `'${value.replaceAll("'", `'\\''`)}'`}`
}

/** Its default, where that can be typed; else the first choice; else something of its type that is long and large enough. */
function exampleValue(field: Field): string {
  const { type, name, min, max, allowed, fallback } = field
  if (fallback !== null && !/[${}\n]/.test(fallback) && checkValue(field, fallback).ok) return fallback
  const [choice] = allowed ?? []
  if (choice !== undefined)
    return type === 'tuple'
      ? Array(Math.max(min ?? 1, 1))
          .fill(choice)
          .join(',')
      : choice
  switch (type) {
    case 'boolean':
      return 'true'
    case 'number':
      return String(min ?? (max === null || max >= 1 ? 1 : max))
    case 'tuple':
      return Array.from({ length: Math.max(min ?? 0, Math.min(2, max ?? 2), 1) }, (_, at) => itemName(at)).join(',')
    case 'path':
      return fitted(`./${name}.txt`, min, max)
    default:
      return fitted(name.replaceAll(/[_-]+/g, ' ').trim(), min, max)
  }
}

function itemName(at: number): string {
  return at < 26 ? String.fromCharCode(97 + at) : `x${at}`
}

function fitted(text: string, min: number | null, max: number | null): string {
  const long = text.padEnd(min ?? 0, 'x')
  return max === null ? long : long.slice(0, Math.max(0, max))
}
