import type { ExecResult } from '@string-os/client'
import { COMMAND_MARKS, type Topic } from '@string-os/protocol'
import { NO_PROGRAM } from '../run/explained-text.ts'

/** What is known of the topic that a line is typed into. */
interface Taker {
  readonly type: Topic['type']
  /** The commands that it has, as they are typed; none: they could not be learned. */
  readonly commands: readonly string[]
}

/** Whether a line of before, from whatever topic, means anything here: a command that there is, or a line for the shell. */
export function fitsTopic(line: string, { type, commands }: Taker): boolean {
  const [word = ''] = line.split(/\s/, 1)
  // A path begins with a slash, too, and has more of them.
  const marks = /^(\/{1,2})[^/]*$/.exec(word)?.[1] ?? ''
  if (marks === '') return type === 'bash'
  return marks === COMMAND_MARKS[type] && (commands.length === 0 || commands.includes(word))
}

/** What says nothing of the line itself: the same one may go well in a moment. */
const IN_THE_WAY: ReadonlySet<string> = new Set([
  'ACTION_FAILED',
  'BUSY',
  'CANCELLED',
  'INTERNAL_ERROR',
  'LIMIT_REACHED',
  'QUEUE_FULL',
  'QUEUE_TIMEOUT',
  'STORE_AWAY',
  'STREAM_INCOMPLETE',
  'TIMEOUT',
])

/** Whether a line has led to nothing, as it was typed: a program that ran and ended with another status than 0 is none. */
export function isInVain({ code, data }: ExecResult): boolean {
  if (data?.exit === NO_PROGRAM) return true
  return code !== null && !IN_THE_WAY.has(code) && !code.startsWith('EXIT_')
}
