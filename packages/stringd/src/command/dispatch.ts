import {
  COMMAND_MARKS,
  fail,
  headCommand,
  nearest,
  notACommand,
  quoted,
  type Result,
  TOPIC_TYPES,
  type Topic,
  type TopicType,
} from '@string-os/protocol'
import { actionsAtHand } from './act/callable-actions.ts'
import { parseCommandLine } from './core/args.ts'
import type { Command, CommandLine } from './core/command.ts'
import type { CommandContext } from './core/context.ts'
import { explained } from './read/help.ts'
import { MEANT_NAMES, synonymHint } from './synonyms.ts'
import { TOPIC_KINDS } from './topic-kinds.ts'

/** A text that was read as a command: where it runs, and how. */
export interface ReadCommand {
  /** As its row is named, for the log: what was typed may hold anything. */
  readonly name: string
  readonly topic: Topic
  /** It does not wait for its turn; `placed`: where its caller has a place in what a shell prints. */
  readonly immediate: boolean | 'placed'
  readonly run: (context: CommandContext) => Promise<Result> | Result
}

const TEXT = '(text)'
const UNKNOWN = '(unknown)'

export type Dispatch = (text: string, topic: Topic) => ReadCommand

/** Finds the command that a text names, where it runs when sent to `topic`, and reads its arguments when it runs. */
export function createDispatch(table: readonly Command[]): Dispatch {
  const known = commandsIn(table)
  return (text, topic) => {
    const commands = known.get(topic.type) ?? new Map()
    const { text: plain } = TOPIC_KINDS[topic.type]
    const mark = COMMAND_MARKS[topic.type]
    // One slash is enough for a command's name; in other topics text is refused with a reason.
    if (plain === undefined || text.startsWith(mark)) return read(commands, text.slice(mark.length - 1), topic)
    return {
      name: TEXT,
      topic,
      immediate: false,
      run: (context) => plain(text, context, meantBy(text, commands, mark)),
    }
  }
}

/** What is text here and would be a command elsewhere, as it is typed here. */
function meantBy(text: string, commands: ReadonlyMap<string, Command>, mark: string): string | null {
  const line = text.startsWith('/') ? parseCommandLine(text) : null
  if (line === null || findCommand(commands, line.name).command === undefined) return null
  return headCommand(`${mark}${text.slice(1)}`)
}

/** The commands of each kind of topic, by every name they have. */
export function commandsIn(table: readonly Command[]): ReadonlyMap<TopicType, ReadonlyMap<string, Command>> {
  const everywhere = byName(table)
  return new Map(
    TOPIC_TYPES.map((type) => [type, new Map([...everywhere, ...byName(TOPIC_KINDS[type].commands ?? [])])]),
  )
}

function byName(table: readonly Command[]): Map<string, Command> {
  return new Map(
    table.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const)),
  )
}

function read(commands: ReadonlyMap<string, Command>, text: string, topic: Topic): ReadCommand {
  const line = parseCommandLine(text)
  if (line === null)
    return { name: TEXT, topic, immediate: false, run: (context) => refusedText(text, commands, topic, context) }
  const { command, suffix } = findCommand(commands, line.name)
  const slash = COMMAND_MARKS[topic.type]
  if (command === undefined)
    return {
      name: UNKNOWN,
      topic,
      immediate: false,
      run: async (context) => unknown(line, [...commands.keys()], slash, await actionHint(line.name, topic, context)),
    }
  if (asksHelp(line, command)) return { name: '/help', topic, immediate: true, run: () => explained(command, slash) }
  const target = command.redirect?.(line.rest) ?? topic
  return {
    name: `/${command.name}`,
    topic: target,
    immediate: command.immediate ?? false,
    run: async (context) => {
      await TOPIC_KINDS[target.type].enter?.(context)
      const args = command.read(line, suffix, context.session.variables.all)
      return args.ok ? args.run(context) : args
    },
  }
}

/** As every program explains itself; those with a suffix have more to explain than their row. */
function asksHelp({ rest, body }: CommandLine, { suffix }: Command): boolean {
  return rest.trim() === '--help' && body === '' && suffix === undefined
}

/** `/act.search` is the command `act` with the suffix `search`, unless a command has that very name. */
export function findCommand(
  commands: ReadonlyMap<string, Command>,
  name: string,
): { readonly command: Command | undefined; readonly suffix?: string } {
  const [, stem = name, mark, suffix = ''] = /^([^.:]+)([.:])(.*)$/s.exec(name) ?? []
  const command = commands.get(name) ?? commands.get(stem)
  if (command === undefined || commands.has(name)) return { command }
  return command.suffix === mark ? { command, suffix } : { command: undefined }
}

/** The sentence is fixed; below it what was probably meant, where the text begins like a command. */
async function refusedText(
  text: string,
  commands: ReadonlyMap<string, Command>,
  topic: Topic,
  context: CommandContext,
): Promise<Result> {
  const [name = ''] = text.split(/\s/, 1)
  const refused = notACommand()
  // Whoever forgot the name of a shell means no command of String.
  if (topic.canonical === 'bash')
    return { ...refused, hints: ['A shell has a name: use the topic bash:NAME, such as bash:dev'] }
  if (findCommand(commands, name).command !== undefined)
    return { ...refused, hints: [`Did you mean ${quoted(headCommand(`/${text}`))}?`] }
  const hint = (await actionHint(name, topic, context)) ?? synonymHint(name, headCommand(text).slice(name.length), '/')
  return hint === null ? refused : { ...refused, hints: [hint] }
}

/** What is no command may be an action that can be called; a page from the web is not fetched anew for that. */
async function actionHint(name: string, { type }: Topic, context: CommandContext): Promise<string | null> {
  await TOPIC_KINDS[type].enter?.(context)
  if (context.session.document?.address.kind !== 'file') return null
  return (await actionsAtHand(context)).all.has(name) ? `Did you mean ${COMMAND_MARKS[type]}act.${name}?` : null
}

/** In a bash topic a command is typed with two slashes: one alone would be a program's path. */
function unknown({ name, rest }: CommandLine, names: readonly string[], slash: string, action: string | null): Result {
  const hints = [
    appHint(name, rest) ?? action ?? synonymHint(name, rest, slash) ?? slipHint(name, names, slash),
  ].filter((hint) => hint !== null)
  // What is glued to a name with $ or = may be a secret: /set$KEY=value.
  const shown = name.replace(/[$=].*$/s, '…')
  return fail(
    'COMMAND_UNKNOWN',
    `Unknown command: ${slash}${quoted(shown)}`,
    ...hints,
    `${slash}help lists all commands`,
  )
}

/** A tool is called from everywhere, an app in its own topic. */
function appHint(name: string, rest: string): string | null {
  const [, topic = '', id] = /^(app:[\w-]+(?::[\w-]+)?)(?:\.([\w-]+))?$/.exec(name) ?? []
  if (topic === '') return null
  return id === undefined
    ? `/open ${topic} opens the app`
    : `In the topic ${topic}: /act.${[id, quoted(rest.trim())].join(' ').trim()}`
}

/** To shorter names everything is near. */
const LEAST_LETTERS = 4

function slipHint(name: string, names: readonly string[], slash: string): string | null {
  const close = nearest(name, [...names, ...MEANT_NAMES.filter((synonym) => synonym.length >= LEAST_LETTERS)])
  if (close === null) return null
  return names.includes(close) ? `Did you mean ${slash}${close}?` : synonymHint(close, '', slash)
}
