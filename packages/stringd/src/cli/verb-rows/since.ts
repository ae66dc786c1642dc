import { quoted } from '@string-os/protocol'
import { usageError } from '../exit.ts'
import type { FlagText } from '../verb-row.ts'

/** A way to say from when on. Help, completion, the reader and its error are made of these rows. */
interface Form {
  /** What may be typed; completion offers it as it stands. */
  readonly words?: readonly string[]
  /** What it is called in the error, with a text that is one. */
  readonly shown: string
  /** How help has it, where the words do not say it. */
  readonly short?: string
  /** Null: it is none. */
  readonly read: (text: string, now: number) => Date | null
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 }
/** The first letter of a unit tells it. */
const SPAN = /^(\d{1,6})\s*([smhdw]|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?)(?:\s+ago)?$/i
const CLOCK = /^(?:(today|yesterday)\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?$/i
const DAY = /^\d{4}-\d\d-\d\d$/
/** Also as we show it, with blanks. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:\d\d)?$/

const FORMS: readonly Form[] = [
  { words: ['30m', '12h', '1d', '7d'], shown: 'a span such as 30m, 12h, 7d or "2 hours"', read: span },
  { words: ['today', 'yesterday'], shown: 'today, yesterday', read: dayWord },
  { shown: 'a time of today such as 14:00', short: '14:00', read: clock },
  { shown: 'a day such as 2026-03-19', short: 'a day', read: day },
  { shown: 'a time such as 2026-03-19T08:30', short: 'a time', read: time },
]

/** From when on a list tells, wherever there is one. */
export const SINCE: FlagText = {
  name: 'since',
  value: 'WHEN',
  takes: FORMS.flatMap(({ words = [] }) => words),
  summary: listed(FORMS.flatMap(({ words = [], short }) => [...words, ...(short === undefined ? [] : [short])])),
}

/** What was typed behind `--since`; without a zone it is the time of this machine. */
export function parseSince(text: string, now: number): Date {
  for (const { read } of FORMS) {
    const found = read(text.trim(), now)
    if (found !== null) return found
  }
  throw usageError(`--since takes ${listed(FORMS.map(({ shown }) => shown))}, not: ${quoted(text)}`)
}

function listed(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1) ?? ''}`
}

function span(text: string, now: number): Date | null {
  const [, amount = '', unit = ''] = SPAN.exec(text) ?? []
  const unitMs = UNIT_MS[unit.slice(0, 1).toLowerCase()]
  return unitMs === undefined ? null : new Date(now - Number(amount) * unitMs)
}

function dayWord(text: string, now: number): Date | null {
  return /^(?:today|yesterday)$/i.test(text) ? midnight(now, daysAgo(text)) : null
}

/** A time that is still to come may be meant of the day before, or wrong. */
function clock(text: string, now: number): Date | null {
  const [, word, hours = '', minutes = '', seconds = '0'] = CLOCK.exec(text) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const time = midnight(now, daysAgo(word ?? 'today'))
  time.setHours(Number(hours), Number(minutes), Number(seconds))
  if (time.getTime() > now)
    throw usageError(
      `--since ${quoted(text)} is still to come. Of the day before it is 'yesterday ${hours}:${minutes}'`,
    )
  return time
}

function day(text: string): Date | null {
  return DAY.test(text) ? valid(new Date(`${text}T00:00`)) : null
}

function time(text: string): Date | null {
  const [, date, clockTime, zone = ''] = TIME.exec(text) ?? []
  return date === undefined ? null : valid(new Date(`${date}T${clockTime}${zone}`))
}

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}

function daysAgo(word: string): number {
  return word.toLowerCase() === 'yesterday' ? 1 : 0
}

/** When a day began, by the clock of this machine: not all have 24 hours. */
function midnight(now: number, ago: number): Date {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - ago)
}
