import { stripEnd, visibleLine } from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'
import { columnsOf, fitColumns, wrapColumns } from '../terminal/columns.ts'
import type { StreamLook } from '../terminal/look.ts'
import { clockTime } from '../turns/time.ts'
import type { TimelineEntry } from './entry.ts'

interface EntryLook extends StreamLook {
  /** Where it is clear, the agent is not said. */
  readonly isOfOneAgent: boolean
  readonly now: number
}

const TIME_COLUMNS = 11
const AGENT_COLUMNS = 12
const INDENT = 4
/** A narrow terminal says who and when last: the id, by which more is asked, and the state have this room. */
const LEAST_BESIDE_AGENT = 24
const LEAST_BESIDE_TIME = 'turn 01234567 …'.length

/** One line; what failed has a second one with the reason. Texts are anybody's: what would control a terminal is made visible. */
export function entryText(entry: TimelineEntry, { color, width, isOfOneAgent, now }: EntryLook): string {
  const { agent, isFailure, text, reason, message } = entry
  const isNarrow = (used: number, least: number): boolean => width !== null && width - used < least
  const when = `${clockTime(entry.time, now).padEnd(TIME_COLUMNS)}  `
  const time = isNarrow(columnsOf(when) + 2, LEAST_BESIDE_TIME) ? '' : when
  const named = `${padded(agent ?? '-', AGENT_COLUMNS)}  `
  const isLeftOut = isOfOneAgent || isNarrow(columnsOf(time) + columnsOf(named) + 2, LEAST_BESIDE_AGENT)
  const who = isLeftOut ? '' : named
  const hasWhy = isFailure || (message !== null && reason !== message)
  const why = hasWhy ? oneLine(reason ?? '') : ''
  const about = oneLine((hasWhy ? message : reason) ?? '')
  const beside = visibleLine(about === '' || about === why ? text : `${text}: ${about}`)
  const used = columnsOf(time) + columnsOf(who) + 2
  const what = `${isFailure ? '✗' : '·'} ${fit(beside, width, used)}`
  const first = `${dim(time, color)}${who}${isFailure ? red(what, color) : what}`
  const room = width === null ? null : width - INDENT
  const lines = why === '' ? [] : wrapColumns(visibleLine(why), room).map((line) => `${' '.repeat(INDENT)}${line}`)
  return [first, ...lines].join('\n')
}

function fit(text: string, width: number | null, used: number): string {
  return width === null ? text : fitColumns(text, Math.max(10, width - used))
}

function padded(text: string, columns: number): string {
  const shown = fitColumns(visibleLine(text), columns)
  return shown + ' '.repeat(Math.max(0, columns - columnsOf(shown)))
}

/** The first line that says something, and whether there are more. */
function oneLine(text: string): string {
  const lines = stripEnd(text, ' \t\r\n')
    .split('\n')
    .map((line) => line.trim())
  const said = lines.filter((line) => line !== '')
  return said.length > 1 ? `${said[0]} (…)` : (said[0] ?? '')
}
