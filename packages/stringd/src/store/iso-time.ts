/** A moment as it is stored and shown: texts that sort like the moments. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** The day of the calendar on this machine: `2026-03-19`. */
export function dayOf(ms: number): string {
  const date = new Date(ms)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The same of a moment as it is stored. */
export function dayOfTime(at: string): string {
  return dayOf(Date.parse(at))
}
