import {
  count,
  FAILED_STATES,
  failedTries,
  ID_CHARS,
  shortId,
  type TurnSummary,
  tellingCode,
  visibleLine,
} from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'
import { fitColumns, wrapColumns } from '../terminal/columns.ts'
import type { StreamLook } from '../terminal/look.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { clockTime, shownSpan } from './time.ts'
import { retriedText } from './turn-reason.ts'

const COLUMNS: readonly (Column & { readonly cell: (turn: TurnSummary, now: number) => string })[] = [
  { title: 'ID', most: ID_CHARS, cell: ({ turn_id }) => shortId(turn_id) },
  { title: 'TIME', most: 11, usual: 8, drop: 1, cell: ({ created_at }, now) => clockTime(created_at, now) },
  { title: 'AGENT', most: 16, usual: 10, drop: 2, cell: ({ agent_id }) => agent_id },
  { title: 'SESSION', most: 14, usual: 8, drop: 3, cell: ({ session }) => visibleLine(session) },
  { title: 'STATE', most: 40, usual: 14, cell: (turn) => `${stateCell(turn)}${warnedText(turn)}` },
  { title: 'TOOK', most: 8, usual: 6, drop: 4, isNumber: true, cell: tookCell },
  { title: 'FROM', most: 14, usual: 8, drop: 5, cell: ({ from }) => visibleLine(from) },
  { title: 'MESSAGE', most: 200, cell: ({ message }) => visibleLine(message.replace(/\s+/g, ' ').trim()) },
]

const INDENT = '    '

export interface TurnTable {
  readonly head: string
  /** Of one that failed, with the reason on a line of its own, where somebody reads it. */
  readonly line: (turn: TurnSummary, reason?: string | null) => string
}

interface TurnTableOptions {
  /** Where it is clear, the agent is not said. */
  readonly isOfOneAgent: boolean
  /** Other turns will follow. */
  readonly isOpen?: boolean
  readonly look: StreamLook
}

/** Turns as lines that fit standard output. */
export function layTurns(
  turns: readonly TurnSummary[],
  { isOfOneAgent, isOpen = false, look }: TurnTableOptions,
): TurnTable {
  const columns = COLUMNS.filter(({ title }) => !(isOfOneAgent && title === 'AGENT'))
  const cells = (turn: TurnSummary): string[] => columns.map(({ cell }) => cell(turn, Date.now()))
  const { color, width } = look
  const table = layTable(columns, turns.map(cells), { width, isOpen })
  const line = (turn: TurnSummary, reason: string | null = null): string => {
    const row = FAILED_STATES.includes(turn.state) ? red(table.line(cells(turn)), color) : table.line(cells(turn))
    const below = [retriedText(turn), reason].filter((text) => text !== null)
    return [row, ...below.flatMap((text) => reasonLines(text, width))].join('\n')
  }
  return { head: dim(table.head, color), line }
}

function reasonLines(reason: string, width: number | null): string[] {
  const said = visibleLine(reason.replace(/\s+/g, ' ').trim())
  if (width === null) return [`${INDENT}${said}`]
  return wrapColumns(said, width - INDENT.length).map((line) => fitColumns(`${INDENT}${line}`, width))
}

/** How long it ran or runs; of one that will be tried again, when. */
function tookCell({ state, started_at, ended_at, next_at }: TurnSummary, now: number): string {
  if (state === 'queued') return next_at === null ? '' : `in ${shownSpan(Date.parse(next_at) - now)}`
  if (started_at === null) return ''
  return shownSpan((ended_at === null ? now : Date.parse(ended_at)) - Date.parse(started_at))
}

/** `failed EXIT_3`, `queued EXIT_3 try 2`, `done, no answer`, `done, after 1 failed try`; of one that runs, the code would be that of the run before. */
export function stateCell({ state, code, attempt, tries = [], ended_at, result }: TurnSummary): string {
  const why = state === 'running' || state === 'waiting' ? null : tellingCode({ state, code })
  const silent = result?.silent === true ? ', no answer' : ''
  const said = `${[state, ...(why === null ? [] : [visibleLine(why)])].join(' ')}${silent}`
  const failed = failedTries(tries)
  if (ended_at !== null && !FAILED_STATES.includes(state) && failed > 0) return `${said}, ${afterTries(failed)}`
  return attempt > 1 ? `${said} try ${attempt}` : said
}

/** What an agent did well and is warned of all the same: an answer without its end is one. Silence, which is said by itself, is not said twice. */
export function warnedText({ result }: Pick<TurnSummary, 'result'>): string {
  const warnings = (result?.warnings?.length ?? 0) - (result?.silent === true ? 1 : 0)
  return warnings <= 0 ? '' : `, ${count(warnings, 'warning')}`
}

export function afterTries(failed: number): string {
  return `after ${failed === 1 ? '1 failed try' : `${failed} failed tries`}`
}
