import { constants } from 'node:os'
import type { ExecResult } from '@string-os/client'
import {
  isFields,
  NOT_INTERRUPTED,
  SHELL_ENDED,
  TYPED_WHILE_RUNNING,
  visibleLine,
  withoutStyles,
} from '@string-os/protocol'
import { widthOf } from '../terminal/cells.ts'
import { visibleStyled } from '../terminal/program-styles.ts'
import { shownPart } from './shown-part.ts'

/** A program that has the whole screen: what stands there, and where its cursor is. */
export interface ShellScreen {
  /** With their styles, where those were asked for. */
  readonly lines: readonly string[]
  readonly row: number
  readonly column: number
}

/** The last line of what a program printed, which has not ended, and the place before it. */
export interface PromptLine {
  readonly text: string
  readonly place: string
}

/** What a shell answered, taken apart. */
export interface ShellAnswer {
  /** What was printed line by line. */
  readonly output: string
  /** The same as it is shown: with its styles, where those were asked for. */
  readonly shown: string
  readonly screen: ShellScreen | null
  readonly isRunning: boolean
  /** It says that the shell has ended with it. */
  readonly isEnded: boolean
}

/** The line that has not ended. */
export function lineIn({ data }: ExecResult): PromptLine | null {
  const line = data?.line
  if (!isFields(line) || typeof line.text !== 'string' || typeof line.place !== 'string') return null
  return { text: visibleLine(line.text), place: line.place }
}

/** The same where there is room for what is typed behind it. */
export function openLine(result: ExecResult, columns: number): PromptLine | null {
  const line = lineIn(result)
  return line === null || widthOf(line.text) > columns - TYPED_COLUMNS ? null : line
}

/** So many columns behind a prompt are for what is typed. */
export const TYPED_COLUMNS = 20

/** What is above that line, which has its styles to itself. */
export function aboveLine(shown: string, line: PromptLine | null): string {
  const at = shown.lastIndexOf('\n')
  // What was read of it before may have left the cursor further right.
  const isLast = line !== null && withoutStyles(shown.slice(at + 1)).trim() === line.text.trim()
  return isLast ? shown.slice(0, Math.max(0, at)) : shown
}

/** The answer did not hold all that there is; rows are all that there is, however often they were drawn. */
export function isMore(result: ExecResult): boolean {
  return result.data?.more === true && shownPart(result) === null
}

/** Up to where whoever gets an answer has read; `before` where it does not say. */
export function placeAfter({ data }: ExecResult, before: string): string {
  return typeof data?.place === 'string' ? data.place : before
}

/** How much was printed between two places of one shell; null where they do not tell. */
export function bytesBetween(from: string, to: string): number | null {
  const [shell, start] = from.split(':')
  const [same, end] = to.split(':')
  const bytes = Number(end) - Number(start)
  return shell === same && bytes > 0 ? bytes : null
}

/** Only a shell's own answer says where it is. */
export function isShellAnswer({ data }: ExecResult): boolean {
  return typeof data?.cwd === 'string'
}

const STOP_SIGNALS = ['SIGTSTP', 'SIGSTOP', 'SIGTTIN', 'SIGTTOU'] as const
/** Of a pipe in which not all was stopped (`seq 9 | less`) bash says 128 alone. */
const STOPPED_EXITS: readonly number[] = [128, ...STOP_SIGNALS.map((name) => 128 + constants.signals[name])]

/** It has not ended: it is stopped, and the shell has said so as it does, `[1]+  Stopped`. */
export function isStopped({ data }: ExecResult, output: string): boolean {
  return STOPPED_EXITS.includes(Number(data?.exit)) && /^\[\d+\]\+ +Stopped/m.test(output)
}

/** What was typed before an interrupt, and no program has read. */
export function unreadLines({ data }: ExecResult): readonly string[] {
  const unread: unknown = data?.unread
  return typeof unread === 'string' ? unread.split('\n').filter((line) => line.trim() !== '') : []
}

export function shellAnswer({ content, data }: ExecResult): ShellAnswer {
  const body = bodyOf(content)
  const styled = data?.styled
  // Styles of another text would hide what this one says.
  const isStyled = typeof styled === 'string' && withoutStyles(styled) === body
  const { output: shown, screen } = takenApart(isStyled ? styled : body, data)
  const { output } = takenApart(body, data)
  const isRunning = data?.running === true
  return { output, shown: visibleStyled(shown), screen, isRunning, isEnded: !isRunning && body.endsWith(SHELL_ENDED) }
}

function takenApart(body: string, data: ExecResult['data']): Pick<ShellAnswer, 'output' | 'screen'> {
  const place = data?.screen
  if (data?.running !== true) return { output: withoutEnd(body), screen: null }
  if (!isFields(place)) return { output: withoutNote(body), screen: null }
  const { lines: count, row, column } = place
  // The last line says what can be typed.
  const lines = body.split('\n').slice(0, -1)
  const at = Math.max(0, lines.length - numberOf(count))
  const screen = { lines: lines.slice(at), row: numberOf(row), column: numberOf(column) }
  return { output: lines.slice(0, at).join('\n'), screen }
}

/** What stands below the first line of an answer. */
function bodyOf(content: string): string {
  const at = content.indexOf('\n---\n')
  return at === -1 || content.slice(0, at).includes('\n') ? '' : content.slice(at + 5)
}

/** The prompt says in its own words what can be typed, and not each time. */
function withoutNote(body: string): string {
  const note = [TYPED_WHILE_RUNNING, NOT_INTERRUPTED].find((text) => body.endsWith(`${text})`))
  if (note === undefined) return body
  const rest = body.slice(0, -note.length - 1)
  return rest.endsWith('(') ? rest.slice(0, -1).trimEnd() : `${rest.replace(/; $/, '')})`
}

/** Who is at the prompt leaves it then. */
function withoutEnd(body: string): string {
  return body.endsWith(SHELL_ENDED) ? body.slice(0, -SHELL_ENDED.length).trimEnd() : body
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
