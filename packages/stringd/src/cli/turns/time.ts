/** The time of this machine, without what is clear: today's needs no date. */
export function clockTime(iso: string, now: number): string {
  const time = new Date(iso)
  const today = new Date(now)
  const [date, clock] = [localDate(time), `${two(time.getHours())}:${two(time.getMinutes())}`]
  if (date === localDate(today)) return `${clock}:${two(time.getSeconds())}`
  return time.getFullYear() === today.getFullYear() ? `${date.slice(5)} ${clock}` : date
}

/** The same with everything, and with the zone: `2026-03-19 06:30:00 +01:00`. */
export function wholeTime(iso: string): string {
  const time = new Date(iso)
  return `${localDate(time)} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())} ${zoneOf(time)}`
}

/** A text of the daemon, which writes times as programs do, by the clock of this machine. */
export function inOwnTime(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, wholeTime)
}

function zoneOf(time: Date): string {
  const east = -time.getTimezoneOffset()
  const minutes = Math.abs(east)
  return `${east < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function localDate(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** `350ms`, `1.2s`, `2m05s`, `3h07m`, `2d04h`. */
export function shownSpan(spanMs: number): string {
  if (spanMs < 1_000) return `${Math.max(0, Math.round(spanMs))}ms`
  const seconds = spanMs / 1_000
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`
  const whole = Math.round(seconds)
  if (whole < 3_600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`
  return `${Math.floor(minutes / 1_440)}d${two(Math.floor((minutes % 1_440) / 60))}h`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
