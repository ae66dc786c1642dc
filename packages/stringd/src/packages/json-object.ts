/** The members of a JSON object; null for everything else. A map, so that no name is special. */
export function entriesOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return new Map(Object.entries(value))
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
