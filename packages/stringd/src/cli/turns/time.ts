import { quoted } from '@string-os/protocol'
import { usageError } from '../exit.ts'

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 }
const SPAN = /^(\d{1,6})([smhdw])$/
const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/

/** `7d` ago, `today`, `yesterday`, or a day or time, which without a zone is that of this machine. */
export function parseSince(text: string, now: number): Date {
  const [, amount = '', unit = ''] = SPAN.exec(text) ?? []
  const span = UNIT_MS[unit]
  if (span !== undefined) return new Date(now - Number(amount) * span)
  if (text === 'today' || text === 'yesterday') return midnight(now, text === 'today' ? 0 : 1)
  const time = DAY.test(text) ? new Date(`${text}T00:00`) : new Date(TIME.test(text) ? text : Number.NaN)
  if (!Number.isNaN(time.getTime())) return time
  throw usageError(
    `--since takes a span such as 30m, 12h, 7d, today, yesterday, a day such as 2026-03-19, or a time such as 2026-03-19T08:30, not: ${quoted(text)}`,
  )
}

/** When a day began, by the clock of this machine: not all have 24 hours. */
function midnight(now: number, daysAgo: number): Date {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo)
}

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
