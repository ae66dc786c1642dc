import { isFields } from '@string-os/protocol'

/** The members of a JSON object; null for everything else. A map, so that no name is special. */
export function entriesOf(value: unknown): Map<string, unknown> | null {
  return isFields(value) ? new Map(Object.entries(value)) : null
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
