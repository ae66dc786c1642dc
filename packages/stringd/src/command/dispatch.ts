import { fail, LIMITS, quoted, type Result, type Topic } from '@string-os/protocol'
import type { CommandContext } from '../session/context.ts'
import { parseArgs, parseCommandLine } from './args.ts'
import type { Command } from './define.ts'
import { nearest } from './nearest.ts'

export interface Dispatch {
  /** The topic in which a command runs that was sent to `topic`. */
  readonly route: (text: string, topic: Topic) => Topic
  readonly run: (text: string, context: CommandContext) => Promise<Result>
}

/** Finds the command that a text names in `table`, reads its arguments and runs it. */
export function createDispatch(table: readonly Command[]): Dispatch {
  const byName = new Map<string, Command>()
  for (const command of table) {
    for (const name of [command.name, ...(command.aliases ?? [])]) byName.set(name, command)
  }
  return { route: (text, topic) => route(byName, text, topic), run: (text, context) => run(byName, text, context) }
}

function route(byName: ReadonlyMap<string, Command>, text: string, topic: Topic): Topic {
  const line = topic.type === 'bash' ? null : parseCommandLine(text)
  return (line === null ? null : byName.get(line.name)?.redirect?.(line.rest)) ?? topic
}

async function run(byName: ReadonlyMap<string, Command>, text: string, context: CommandContext): Promise<Result> {
  const line = parseCommandLine(text)
  if (line === null) return fail('COMMAND_UNSUPPORTED', 'Commands must start with /. Use /help for details.')
  const command = byName.get(line.name)
  if (command === undefined) return unknown(line.name, [...byName.keys()])
  const args = parseArgs(command, line)
  return args.ok ? command.run(args.values as never, context) : args
}

function unknown(name: string, names: readonly string[]): Result {
  const close = nearest(name, names)
  const hints = close === null ? ['/help lists all commands'] : [`Did you mean /${close}?`, '/help lists all commands']
  return fail('COMMAND_UNKNOWN', `Unknown command: /${quoted(name, LIMITS.shownValueChars)}`, ...hints)
}
