import { COMMAND_MARKS, type CompletionItem, parseTopic, quoted, type Topic } from '@string-os/protocol'
import { noTopic } from '../run/no-topic.ts'

/** What is typed to the prompt itself, and never reaches the daemon. */
export type OwnCommand =
  | { readonly kind: 'quit' }
  | { readonly kind: 'clear' }
  /** What does it is a command of the daemon. */
  | { readonly kind: 'instead'; readonly command: string }
  | { readonly kind: 'go'; readonly topic: Topic }
  | { readonly kind: 'unclear'; readonly said: string }

const OWN: readonly { readonly name: string; readonly about: string }[] = [
  { name: 'topic', about: 'Go to another topic (only here)' },
  { name: 'clear', about: 'Empty the window, as Ctrl-L does (only here)' },
  { name: 'quit', about: 'Leave, as Ctrl-D does (only here)' },
]

/** As other programs call it, too. */
const QUITS = ['quit', 'exit', 'q']

/** Bare words that other prompts know. A shell has programs for them. */
const BARE: ReadonlyMap<string, OwnCommand> = new Map([
  ['quit', { kind: 'quit' }],
  ['exit', { kind: 'quit' }],
  ['clear', { kind: 'clear' }],
  ['help', { kind: 'instead', command: '/help' }],
  ['?', { kind: 'instead', command: '/help' }],
])

/** `/topic NAME`, `/clear` and `/quit`, with the marks of the topic; null for what is the daemon's. */
export function ownCommand(text: string, { type }: Topic): OwnCommand | null {
  const mark = COMMAND_MARKS[type]
  const [typed = '', name, extra] = text.trim().split(/\s+/)
  // One slash is enough in a shell, too: no program is called so.
  const called = typed.startsWith(mark) ? typed : typed.replace(/^\//, mark)
  if (QUITS.some((each) => called === `${mark}${each}`)) return { kind: 'quit' }
  if (called === `${mark}clear` && name === undefined) return { kind: 'clear' }
  // Where text means nothing, the bare word is enough; a shell has an `exit` of its own.
  const bare = type === 'bash' || name !== undefined ? undefined : BARE.get(typed)
  if (bare !== undefined) return bare
  if (type !== 'bash' && typed === 'help' && extra === undefined) return { kind: 'instead', command: `/help ${name}` }
  if (called !== `${mark}topic`) return null
  const topic = name === undefined || extra !== undefined ? null : parseTopic(name)
  if (topic !== null) return { kind: 'go', topic }
  if (name !== undefined && extra === undefined) return { kind: 'unclear', said: noTopic(name).message }
  const asked =
    extra === undefined ? 'Which topic?' : `One topic, not ${quoted(text.trim().replace(/^\S+\s+/, ''), 60)}:`
  return {
    kind: 'unclear',
    said: `${asked} ${mark}topic NAME, for example ${mark}topic bash:dev; /topics lists yours`,
  }
}

/** As they are typed in a topic. */
export function ownNames({ type }: Topic): readonly string[] {
  return OWN.map(({ name }) => `${COMMAND_MARKS[type]}${name}`)
}

export function ownItems({ type }: Topic): readonly CompletionItem[] {
  const mark = COMMAND_MARKS[type]
  return OWN.map(({ name, about }) => ({ text: `${mark}${name}`, kind: 'command' as const, about }))
}

/** What is typed of a topic's name behind `/topic`; null elsewhere. */
export function typedTopic(text: string, { type }: Topic): string | null {
  const [, name = null] = new RegExp(`^${COMMAND_MARKS[type]}topic\\s+(\\S*)$`).exec(text) ?? []
  return name
}
