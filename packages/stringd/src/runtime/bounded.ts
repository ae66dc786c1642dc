import {
  type Failure,
  LIMITS,
  type Result,
  type Success,
  truncate,
  visibleLine,
  withoutStyles,
} from '@string-os/protocol'
import { bothEnds, firstBytes, NOTE_BYTES, shortened } from '../shell/both-ends.ts'

/** Keeps a text where its reader can open it, and says where. */
export type Keep = (text: string) => string

/** Room for what an answer says beside its content: a system line with the longest path, a word on the shell, a separator. */
export const BESIDE_BYTES = 5 * 1024

/** The line `---` with its line ends. */
const SEPARATOR_BYTES = 5

const SHORTEST_SYSTEM = 256

/** A result that an answer has room for: of what is too long both ends are shown, and the whole is kept. */
export function bounded(result: Result, limitBytes: number, keep: Keep): Result {
  if (mostBytes(result) <= limitBytes) return result
  return withoutStale(result.ok ? boundedSuccess(result, limitBytes, keep) : boundedFailure(result, limitBytes, keep))
}

/** Styles are those of the content: where that has been cut, there are none. */
function withoutStale(result: Result): Result {
  const { styled, ...data } = result.data ?? {}
  if (typeof styled !== 'string' || withoutStyles(styled) === result.content) return result
  return { ...result, data }
}

function boundedSuccess(result: Success, limitBytes: number, keep: Keep): Success {
  if (result.isWhole === true) return result
  const system = result.system === null ? null : shortSystem(result.system, result.content, limitBytes)
  const room = limitBytes - Buffer.byteLength(system ?? '') - SEPARATOR_BYTES
  const fit = fitting(room, whereOf(result, keep), result.isMarkdown === true ? '\n' : '')
  const content = result.content === null ? null : fit(result.content)
  const { change } = result
  if (change === undefined) return { ...result, system, content }
  const diff = change.diff === result.content ? (content ?? '') : fit(change.diff)
  return { ...result, system, content, change: { ...change, diff } }
}

/** Of an error, the lines below it are few, or the output of something that failed. */
function boundedFailure(result: Failure, limitBytes: number, keep: Keep): Failure {
  const system = shortLine(result.system)
  const where = whereOf(result, keep)
  const room = limitBytes - Buffer.byteLength(system) - SEPARATOR_BYTES
  const content = result.content === null ? null : fitting(room, where)(result.content)
  const hints = fitting(2 * LIMITS.errorBytes, where)(result.hints.map(visibleLine).join('\n')).split('\n')
  return { ...result, system, content, hints: result.hints.length === 0 ? [] : hints }
}

/** Content that fits but for a long system line is a page: the line gives way. */
function shortSystem(system: string, content: string | null, limitBytes: number): string {
  const line = shortLine(system)
  const room = limitBytes - SEPARATOR_BYTES - Buffer.byteLength(content ?? '') - '…'.length * 3
  if (room < SHORTEST_SYSTEM || Buffer.byteLength(line) <= room) return line
  return `${firstBytes(line, room)}…`
}

function shortLine(system: string): string {
  return truncate(visibleLine(system), LIMITS.systemChars)
}

function whereOf({ isPrivate }: Result, keep: Keep): Keep {
  return isPrivate === true ? () => 'not kept, because it may hold secrets' : keep
}

/** `apart`: what else stands around the note. In a page it is a paragraph, and what follows none of its lines. */
function fitting(roomBytes: number, where: Keep, apart = ''): (text: string) => string {
  return (text) => {
    if (text.length <= roomBytes && Buffer.byteLength(text) <= roomBytes) return text
    const { head, tail, leftBytes } = bothEnds(text, roomBytes - NOTE_BYTES)
    return shortened({ head: `${head}${apart}`, tail: `${apart}${tail}`, leftBytes }, where(text))
  }
}

/** More than it can be: a unit takes at most three bytes, and a control character six when it is made visible. */
function mostBytes(result: Result): number {
  const { system, content } = result
  const shown = 6 * (system?.length ?? 0) + 3 * (content?.length ?? 0)
  if (result.ok) return shown + 3 * (result.change?.diff.length ?? 0)
  return result.hints.reduce((sum, hint) => sum + 6 * hint.length + 3, shown)
}
