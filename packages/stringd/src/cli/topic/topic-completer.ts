import type { StringClient } from '@string-os/client'
import { COMMAND_MARKS, type CompletionView, HUBS, matching, type Topic } from '@string-os/protocol'
import type { Unfinished } from '../terminal/editor/line-editor.ts'
import { PartsHere } from './parts-here.ts'
import { shellCompleter } from './shell-completer.ts'
import { ownItems, typedTopic } from './topic-commands.ts'

/** Where a line is typed, and to whom. */
interface TypedPlace {
  readonly cwd: string
  /** A program that runs reads it. */
  readonly isInput: boolean
}

export interface TopicCompleter {
  readonly complete: (text: string, signal: AbortSignal) => Promise<CompletionView | null>
  readonly unfinished: (text: string) => Unfinished | null
  /** The names of the commands of the topic, as they are typed. */
  readonly commands: () => readonly string[]
  /** The commands that a text of several lines is, where each line is one and takes no lines behind it; null for any other. */
  readonly several: (text: string) => readonly string[] | null
  /** A line that ran in a shell may have made names known. */
  readonly learn: (line: string) => void
  /** Whether the open document has what a line names of one. */
  readonly isHere: (line: string) => boolean
  /** Something has run, and may have changed or opened a document. */
  readonly forget: () => void
  /** Learns which commands of a topic take lines behind them. */
  readonly enter: (topic: Topic) => Promise<void>
}

/** What the daemon knows of a topic, for whoever types into it. */
export function topicCompleter(client: StringClient, place: () => TypedPlace): TopicCompleter {
  const learned = new Map<Topic['type'], TopicCommands>()
  const shell = shellCompleter()
  let topic: Topic | null = null
  const parts = new PartsHere(async (command) => {
    if (topic === null) return []
    const text = `${COMMAND_MARKS[topic.type]}${command}`
    const { items }: CompletionView = await client.complete(topic.canonical, text)
    return items.map((item) => item.text)
  })
  return {
    isHere: (line) => parts.has(line),
    forget: () => parts.forget(),
    enter: async (entered) => {
      topic = entered
      if (learned.has(entered.type)) return
      learned.set(entered.type, await commandsOf(client, entered).catch(() => NO_COMMANDS))
    },
    commands: () => (topic === null ? [] : (learned.get(topic.type)?.names ?? [])),
    several: (text) => (topic === null ? null : severalIn(text, (learned.get(topic.type) ?? NO_COMMANDS).bodyless)),
    complete: async (text, signal) => {
      if (topic === null) return null
      if (topic.type === 'bash' && !text.startsWith(COMMAND_MARKS.bash)) {
        const { cwd, isInput } = place()
        // A program knows neither our files nor the commands of the shell.
        return isInput ? NOTHING : shell.complete(text, cwd)
      }
      // What cannot be learned is not completed: the command itself will say why.
      return completeIn(client, topic, text, { cwd: place().cwd, signal }).catch(() => null)
    },
    learn: shell.learn,
    unfinished: (text) =>
      topic === null ? null : unfinishedIn(topic, text, (learned.get(topic.type) ?? NO_COMMANDS).bodies),
  }
}

async function completeIn(
  client: StringClient,
  topic: Topic,
  text: string,
  options: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<CompletionView> {
  const name = typedTopic(text, topic)
  if (name !== null) return topicsView(client, text, name)
  const view = await client.complete(topic.canonical, text, options)
  // Behind its name a command has none of ours.
  if (text === '' || /\s/.test(text)) return view
  const items = matching([...view.items, ...ownItems(topic)], text, (item) => item.text)
  return { ...view, items, total: items.length }
}

async function topicsView(client: StringClient, text: string, name: string): Promise<CompletionView> {
  const sessions = await client.sessions.list(client.agent)
  const names = new Map([
    ...sessions.map(({ topic, doc }) => [topic, doc?.title ?? null] as const),
    ...HUBS.map((hub) => [hub, 'hub'] as const),
  ])
  const items = matching([...names], name, ([each]) => each).map(([each, about]) => ({
    text: each,
    kind: 'topic' as const,
    about,
  }))
  return { from: text.length - name.length, items, total: items.length, usage: null }
}

/** What is known of the commands of a kind of topic. */
interface TopicCommands {
  readonly names: readonly string[]
  /** Those that need lines behind them, with the flags that take the place of these. */
  readonly bodies: ReadonlyMap<string, readonly string[]>
  /** Those that take none. */
  readonly bodyless: ReadonlySet<string>
}

const NOTHING: CompletionView = { from: 0, items: [], total: 0, usage: null }
const NO_COMMANDS: TopicCommands = { names: [], bodies: new Map(), bodyless: new Set() }

/** As they are pasted out of notes. */
function severalIn(text: string, bodyless: ReadonlySet<string>): readonly string[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const areAll = lines.every((line) => bodyless.has(line.trim().split(/\s/, 1)[0] ?? ''))
  return lines.length > 1 && areAll ? lines.map((line) => line.trim()) : null
}

async function commandsOf(client: StringClient, topic: Topic): Promise<TopicCommands> {
  const { items }: CompletionView = await client.complete(topic.canonical, COMMAND_MARKS[topic.type])
  const needing = items.filter(({ body }) => body === 'required')
  const flags: readonly CompletionView[] = await Promise.all(
    needing.map(({ text }) => client.complete(topic.canonical, `${text} -`)),
  )
  const bodies = new Map(
    needing.map(({ text }, index) => [
      text,
      (flags[index]?.items ?? []).filter(({ body }) => body === 'none').map((flag) => flag.text),
    ]),
  )
  const bodyless = new Set(items.filter(({ body }) => body === 'none').map(({ text }) => text))
  return { names: items.map(({ text }) => text), bodies, bodyless }
}

/** A backslash at the end goes on in the next line; so does a command that needs lines and has none. */
function unfinishedIn(
  { type }: Topic,
  text: string,
  bodies: ReadonlyMap<string, readonly string[]>,
): Unfinished | null {
  // A shell knows what a backslash at the end of its line means.
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text))
    return { text: `${type === 'bash' ? text : text.slice(0, -1)}\n`, isBody: false }
  const [name = '', ...words] = text.trim().split(/\s+/)
  const without = bodies.get(name)
  if (without === undefined || text.includes('\n') || words.length === 0) return null
  return words.some((word) => without.includes(word)) ? null : { text: `${text.trimEnd()}\n`, isBody: true }
}
