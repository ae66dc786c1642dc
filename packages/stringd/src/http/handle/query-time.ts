/** A time of a query as it is stored; null where none is given, undefined where it is none. */
export function timeOf(text: string | null): string | null | undefined {
  if (text === null) return null
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
