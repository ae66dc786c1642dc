import { COMMAND_MARKS, type CompletionView, eachWord, LIMITS, matching } from '@string-os/protocol'
import { COMMAND_GRAMMAR } from '../core/args.ts'
import { type Command, usage } from '../core/command.ts'
import type { CommandContext } from '../core/context.ts'
import { commandsIn, findCommand } from '../dispatch.ts'
import { TOPIC_KINDS } from '../topic-kinds.ts'
import { type Asked, type Candidate, candidate } from './candidates.ts'
import { leadsOutside, shellPaths } from './paths.ts'
import { argumentSource, rawSource, variables } from './sources.ts'
import { typed, typedLine } from './typed-word.ts'

/** Says what may stand where a text ends. Nothing is run, changed or fetched for it. */
export type Complete = (text: string, context: CommandContext) => Promise<CompletionView>

const NOTHING: CompletionView = { from: 0, items: [], total: 0, usage: null }

export function createComplete(table: readonly Command[]): Complete {
  const known = commandsIn(table)
  return async (text, context) => {
    const { type } = context.topic
    // What follows the first line is a body, and anything.
    if (text.includes('\n') || text.length > LIMITS.commandLineChars) return { ...NOTHING, from: text.length }
    const mark = COMMAND_MARKS[type]
    const commands = known.get(type) ?? new Map()
    if (text.startsWith(mark)) return inCommand(text, mark, commands, context)
    return TOPIC_KINDS[type].text === undefined ? beforeCommand(text, mark, commands) : inText(text, context)
  }
}

type Commands = ReadonlyMap<string, Command>

function beforeCommand(text: string, mark: string, commands: Commands): CompletionView {
  return text.trim() === '' || mark.startsWith(text) ? view(text, 0, text, nameItems(mark, commands), null) : NOTHING
}

/** A line for a shell: only paths are known. */
async function inText(text: string, context: CommandContext): Promise<CompletionView> {
  const { before, start, word } = typedLine(text)
  const isPath = before.length > 0 || word.includes('/')
  return view(text, start, word, isPath ? shellPaths({ word, context }) : [], null)
}

async function inCommand(
  text: string,
  mark: string,
  commands: Commands,
  context: CommandContext,
): Promise<CompletionView> {
  const { before, start, word } = typedLine(text)
  const [called, ...words] = before
  if (called === undefined) return atName(text, mark, commands, context)
  const { command, suffix } = findCommand(commands, called.slice(mark.length))
  if (command === undefined) return { ...NOTHING, from: text.length }
  const own = suffix === undefined ? words : [suffix, ...words]
  const asked = { word, before: own, command, commands, context }
  const items = word.startsWith('{') ? await variables(asked) : await argumentItems(asked)
  const found = view(text, start, word, items, usage(command).replace('/', mark))
  const isOutside = found.total === 0 && command.raw !== true && leadsOutside(word, context)
  return isOutside ? { ...found, note: 'outside the workspace' } : found
}

/** `/op`, `/act.se`, `/tool:li` */
async function atName(
  text: string,
  mark: string,
  commands: Commands,
  context: CommandContext,
): Promise<CompletionView> {
  const { command, suffix } = findCommand(commands, text.slice(mark.length))
  const source = command === undefined || suffix === undefined ? undefined : rawSource(command.name)
  if (command === undefined || suffix === undefined || source === undefined) {
    const exact = command === undefined ? null : usage(command).replace('/', mark)
    return view(text, 0, text, nameItems(mark, commands), exact)
  }
  const prefix = text.slice(0, text.length - suffix.length)
  const items = await source({ word: suffix, before: [], command, commands, context })
  const named = items.map((item) => ({ ...item, value: prefix + item.value, text: prefix + item.text }))
  return view(text, 0, text, named, usage(command).replace('/', mark))
}

function nameItems(mark: string, commands: Commands): readonly Candidate[] {
  return [...new Set(commands.values())].map((command) => ({
    ...candidate(`${mark}${command.name}`, 'command', command.summary),
    body: command.body,
  }))
}

async function argumentItems(asked: Asked): Promise<readonly Candidate[]> {
  const { command, word, before } = asked
  if (command.raw === true) return (await rawSource(command.name)?.(asked)) ?? []
  if (word.startsWith('-')) return flagItems(asked)
  const others: string[] = []
  const flags: string[] = []
  let isValue = false
  for (const read of eachWord(command.flags, COMMAND_GRAMMAR, before)) {
    isValue = !read.ok && read.reason === 'valueless'
    if (read.ok && read.name === null) others.push(String(read.value))
    else if (read.ok && read.name !== null) flags.push(read.name)
  }
  // The value of a flag is nothing that is known here.
  if (isValue) return []
  const params = Object.entries(command.params)
  const [param] = params[Math.min(others.length, params.length - 1)] ?? []
  const isFull = others.length >= params.length && params.at(-1)?.[1] !== 'many'
  if (param === undefined || isFull) return word === '' ? flagItems(asked) : []
  return (await argumentSource(command.name, param)?.({ ...asked, before: others, flags })) ?? []
}

function flagItems({ command, before }: Asked): readonly Candidate[] {
  return Object.entries(command.flags)
    .filter(([name]) => !before.includes(`--${name}`))
    .map(([name, { summary, bodyless }]) => {
      const item = candidate(`--${name}`, 'flag', summary)
      return bodyless === true ? { ...item, body: 'none' } : item
    })
}

/** What the word may mean; of very many, the first. */
function view(
  text: string,
  from: number,
  word: string,
  all: readonly Candidate[],
  shownUsage: string | null,
): CompletionView {
  const typeable = all.filter(({ value }) => isTypeable(value))
  const found = matching(typeable, word, ({ value }) => value)
  const items = found
    .slice(0, LIMITS.completions)
    .map(({ value, text: _, ...item }) => ({ ...item, text: item.kind === 'variable' ? value : typed(value) }))
  return { from: Math.min(from, text.length), items, total: found.length, usage: shownUsage }
}

/** A name with line ends or half characters cannot be put into a line. */
function isTypeable(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value)
}
