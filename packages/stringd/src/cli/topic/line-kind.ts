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

const MISTAKES: ReadonlySet<string> = new Set([
  'COMMAND_UNKNOWN',
  'COMMAND_UNSUPPORTED',
  'USAGE',
  'INVALID_PARAMS',
  'INVALID_TARGET',
  'INVALID_VARIABLE',
])

/** Whether a line can never have been meant as it was typed. */
export function isMistyped({ code, data }: ExecResult): boolean {
  return (code !== null && MISTAKES.has(code)) || data?.exit === NO_PROGRAM
}
