import { fail, LIMITS, quoted, type Result } from '@string-os/protocol'
import type { CommandContext } from '../session/context.ts'
import { parseArgs, parseCommandLine } from './args.ts'
import type { Command } from './define.ts'
import { nearest } from './nearest.ts'

export type Dispatch = (text: string, context: CommandContext) => Promise<Result>

/** Finds the command that a text names in `table`, reads its arguments and runs it. */
export function createDispatch(table: readonly Command[]): Dispatch {
  const byName = new Map<string, Command>()
  for (const command of table) {
    for (const name of [command.name, ...(command.aliases ?? [])]) byName.set(name, command)
  }
  return async (text, context) => {
    const line = parseCommandLine(text)
    if (line === null) return fail('COMMAND_UNSUPPORTED', 'Commands must start with /. Use /help for details.')
    const command = byName.get(line.name)
    if (command === undefined) return unknown(line.name, [...byName.keys()])
    const args = parseArgs(command, line)
    return args.ok ? command.run(args.values as never, context) : args
  }
}

function unknown(name: string, names: readonly string[]): Result {
  const close = nearest(name, names)
  const hints = close === null ? ['/help lists all commands'] : [`Did you mean /${close}?`, '/help lists all commands']
  return fail('COMMAND_UNKNOWN', `Unknown command: /${quoted(name, LIMITS.shownValueChars)}`, ...hints)
}
