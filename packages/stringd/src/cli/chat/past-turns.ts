import { count, shortId, stripEnd, type TurnSummary, visibleLine } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { hangingLines } from '../terminal/hanging.ts'
import { type MarkdownManner, markdownLines } from '../terminal/markdown/render.ts'
import { wrap } from '../terminal/markdown/wrap.ts'
import { type Line, paint } from '../terminal/styled-text.ts'
import { clockTime } from '../turns/time.ts'
import type { PastTurn } from './conversation.ts'

/** Of what a failed agent left on standard error, its end. */
const STDERR_LINES = 4

export interface PastManner extends MarkdownManner {
  /** What stands before what is typed. */
  readonly label: string
  readonly now: number
  /** So many lines of each message and answer are shown; null: all. */
  readonly most: number | null
}

/** What was said before, as it looked when it was said: each message behind its prompt, and what was answered below. */
export function pastText(turns: readonly PastTurn[], manner: PastManner): string {
  return turns.map((turn) => exchangeText(turn, manner)).join('\n')
}

/** The message alone, of a turn whose answer is still to come. */
export function askedText(turn: TurnSummary, manner: PastManner): string {
  return painted(askedLines(turn, manner), manner)
}

function exchangeText(turn: PastTurn, manner: PastManner): string {
  return painted([...askedLines(turn, manner), ...answerLines(turn, manner)], manner)
}

function askedLines({ message, source, from, created_at }: TurnSummary, manner: PastManner): readonly Line[] {
  const who: Line = source === 'person' ? [] : [{ text: `(from ${visibleLine(from === '' ? source : from)}) ` }]
  const lines = stripEnd(message, ' \t\r\n')
    .split(/\r?\n/)
    .map((text, index): Line => [{ text: index === 0 ? `${manner.label}> ` : '… ' }, { text }])
  const [first = [], ...others] = lines
  const [label = { text: '' }, ...said] = first
  const shown = shortened([[label, ...who, ...said], ...others], manner)
  const time: Line = [{ text: ` (${clockTime(created_at, manner.now)})` }]
  return [...shown.slice(0, -1), [...(shown.at(-1) ?? []), ...time]].flatMap((line) => wrap(dimmed(line), manner.width))
}

function answerLines(turn: PastTurn, manner: PastManner): readonly Line[] {
  const { result, state } = turn
  if (result === null) return [[{ text: `(${state})`, styles: ['dim'] }]]
  const said = shortened(markdownLines(stripEnd(result.reply, ' \t\r\n'), manner), manner)
  if (result.ok) return said.length === 0 ? [[{ text: '(no answer)', styles: ['dim'] }]] : said
  return [...said, ...endLines(turn, result.error, manner)]
}

function endLines(
  { turn_id, state, stderr = '' }: PastTurn,
  error: string | null,
  manner: PastManner,
): readonly Line[] {
  if (state === 'cancelled') return [[{ text: '(cancelled)', styles: ['dim'] }]]
  const [why = ''] = (error ?? '').trim().split('\n')
  const said = stripEnd(stderr, ' \t\r\n')
    .split(/\r?\n/)
    .filter((text) => text.trim() !== '')
    .slice(-STDERR_LINES)
    .map((text): Line => [{ text: `  ${text}`, styles: ['dim'] }])
  const next = inOwnName(`string turn show ${shortId(turn_id)} shows all of it`)
  return [
    ...wrap([{ text: `error: ${why === '' ? state : why}`, styles: ['red'] }], manner.width),
    ...said.flatMap((line) => hangingLines(line, manner.width)),
    [{ text: `(${next})`, styles: ['dim'] }],
  ]
}

/** Of something long its beginning, and how much more there is. */
function shortened(lines: readonly Line[], { most }: PastManner): readonly Line[] {
  if (most === null || lines.length <= most + 1) return lines
  const left = lines.length - most
  return [...lines.slice(0, most), [{ text: `(… ${count(left, 'more line')}: /history 1)`, styles: ['dim'] }]]
}

function dimmed(line: Line): Line {
  return line.map((span) => ({ ...span, styles: ['dim'] }))
}

function painted(lines: readonly Line[], manner: PastManner): string {
  return lines.map((line) => paint(line, manner)).join('\n')
}
