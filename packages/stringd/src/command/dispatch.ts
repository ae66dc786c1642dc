import { COMMAND_MARKS, fail, nearest, notACommand, quoted, type Result, type Topic } from '@string-os/protocol'
import { BASH_COMMANDS } from './bash-table.ts'
import { parseArgs, parseCommandLine } from './core/args.ts'
import type { CommandContext } from './core/context.ts'
import type { Command } from './core/define.ts'
import { TOPIC_KINDS } from './topic-kinds.ts'

/** A text that was read as a command: where it runs, and how. */
export interface ReadCommand {
  /** As its row is named, for the log: what was typed may hold anything. */
  readonly name: string
  readonly topic: Topic
  /** It does not wait for its turn. */
  readonly immediate: boolean
  readonly run: (context: CommandContext) => Promise<Result> | Result
}

const TEXT = '(text)'
const UNKNOWN = '(unknown)'

export type Dispatch = (text: string, topic: Topic) => ReadCommand

/** Finds the command that a text names, where it runs when sent to `topic`, and reads its arguments when it runs. */
export function createDispatch(table: readonly Command[]): Dispatch {
  const everywhere = byName(table)
  const inBash = new Map([...everywhere, ...byName(BASH_COMMANDS)])
  return (text, topic) => {
    const { text: plain } = TOPIC_KINDS[topic.type]
    if (plain === undefined) return read(everywhere, text, topic)
    // One slash is taken away; everything else is for the shell.
    if (text.startsWith(COMMAND_MARKS[topic.type])) return read(inBash, text.slice(1), topic)
    return { name: TEXT, topic, immediate: false, run: (context) => plain(text, context) }
  }
}

function byName(table: readonly Command[]): Map<string, Command> {
  return new Map(
    table.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const)),
  )
}

function read(commands: ReadonlyMap<string, Command>, text: string, topic: Topic): ReadCommand {
  const line = parseCommandLine(text)
  if (line === null) return { name: TEXT, topic, immediate: false, run: notACommand }
  const { command, suffix } = find(commands, line.name)
  const slash = COMMAND_MARKS[topic.type]
  if (command === undefined)
    return { name: UNKNOWN, topic, immediate: false, run: () => unknown(line.name, [...commands.keys()], slash) }
  const target = command.redirect?.(line.rest) ?? topic
  return {
    name: `/${command.name}`,
    topic: target,
    immediate: command.immediate === true,
    run: async (context) => {
      await TOPIC_KINDS[target.type].enter?.(context)
      const args = parseArgs(command, line, context.session.variables.all)
      if (!args.ok) return { ...args, hints: args.hints.map((hint) => hint.replace(/^Usage: \//, `Usage: ${slash}`)) }
      args.values.suffix = suffix
      return command.run(args.values as never, context)
    },
  }
}

/** `/act.search` is the command `act` with the suffix `search`, unless a command has that very name. */
function find(
  commands: ReadonlyMap<string, Command>,
  name: string,
): { readonly command: Command | undefined; readonly suffix?: string } {
  const [, stem = name, mark, suffix = ''] = /^([^.:]+)([.:])(.*)$/s.exec(name) ?? []
  const command = commands.get(name) ?? commands.get(stem)
  if (command === undefined || commands.has(name)) return { command }
  return command.suffix === mark ? { command, suffix } : { command: undefined }
}

/** In a bash topic a command is typed with two slashes: one alone would be a program's path. */
function unknown(name: string, names: readonly string[], slash: string): Result {
  const close = nearest(name, names)
  const hints = close === null ? [] : [`Did you mean ${slash}${close}?`]
  // What is glued to a name with $ or = may be a secret: /set$KEY=value.
  const shown = name.replace(/[$=].*$/s, '…')
  return fail(
    'COMMAND_UNKNOWN',
    `Unknown command: ${slash}${quoted(shown)}`,
    ...hints,
    `${slash}help lists all commands`,
  )
}
