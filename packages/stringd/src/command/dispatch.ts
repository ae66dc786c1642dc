import { fail, LIMITS, quoted, type Result, type Topic } from '@string-os/protocol'
import type { CommandContext } from '../session/context.ts'
import { parseArgs, parseCommandLine } from './args.ts'
import type { Command } from './define.ts'
import { nearest } from './nearest.ts'

/** A text that was read as a command: where it runs, and how. */
export interface ReadCommand {
  readonly topic: Topic
  readonly run: (context: CommandContext) => Promise<Result> | Result
}

export type Dispatch = (text: string, topic: Topic) => ReadCommand

/** Finds the command that a text names in `table`, where it runs when sent to `topic`, and reads its arguments when it runs. */
export function createDispatch(table: readonly Command[]): Dispatch {
  const byName = new Map<string, Command>()
  for (const command of table) {
    for (const name of [command.name, ...(command.aliases ?? [])]) byName.set(name, command)
  }
  return (text, topic) => {
    const line = parseCommandLine(text)
    if (line === null) return { topic, run: unsupported }
    const command = byName.get(line.name)
    if (command === undefined) return { topic, run: () => unknown(line.name, [...byName.keys()]) }
    return {
      topic: command.redirect?.(line.rest) ?? topic,
      run: (context) => {
        const args = parseArgs(command, line, context.session.variables)
        return args.ok ? command.run(args.values as never, context) : args
      },
    }
  }
}

function unsupported(): Result {
  return fail('COMMAND_UNSUPPORTED', 'Commands must start with /. Use /help for details.')
}

function unknown(name: string, names: readonly string[]): Result {
  const close = nearest(name, names)
  const hints = close === null ? ['/help lists all commands'] : [`Did you mean /${close}?`, '/help lists all commands']
  return fail('COMMAND_UNKNOWN', `Unknown command: /${quoted(name, LIMITS.shownValueChars)}`, ...hints)
}
