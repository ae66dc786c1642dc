/** A moment as it is stored and shown: texts that sort like the moments. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
