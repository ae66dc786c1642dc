import { type CompletionView, listNames, quoted, visibleLine } from '@string-os/protocol'
import { sessionName } from '../bridge/run-flags.ts'
import { CliError } from '../exit.ts'
import { columnsOf } from '../terminal/columns.ts'
import type { Conversation } from './conversation.ts'

interface ChatCommand {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** What to show; null ends the chat. */
  readonly run: (conversation: Conversation, argument: string) => Promise<string | null>
}

const COMMANDS: readonly ChatCommand[] = [
  { name: '/new', usage: '/new', summary: 'begin this session anew', run: beginAnew },
  { name: '/session', usage: '/session [NAME]', summary: 'show the session, or switch to another', run: session },
  {
    name: '/agents',
    usage: '/agents [NAME]',
    summary: 'who can be talked to; with a name: talk to that one',
    run: agents,
  },
  { name: '/help', usage: '/help', summary: 'this list', run: async () => help() },
  { name: '/quit', usage: '/quit', summary: 'leave (also Ctrl-D)', run: async () => null },
]

/** What may be typed where a text ends: the commands of the chat. */
export function completeChat(text: string): CompletionView {
  const items = COMMANDS.filter(({ name }) => text !== '' && name.startsWith(text))
  return {
    from: 0,
    items: items.map(({ name, summary }) => ({ text: name, kind: 'command', about: summary })),
    total: items.length,
    usage: null,
  }
}

/** What a typed text means: something to show, the end of the chat, or a message for the agent. */
export type Meaning =
  | { readonly kind: 'show'; readonly text: string }
  | { readonly kind: 'quit' }
  | { readonly kind: 'say'; readonly message: string }

/** One slash begins a command of the chat; two stand for a message that begins with one. */
export async function understand(text: string, conversation: Conversation): Promise<Meaning> {
  if (text.startsWith('//')) return { kind: 'say', message: text.slice(1) }
  if (!text.startsWith('/')) return { kind: 'say', message: text }
  const [name = '', ...words] = text.trim().split(/\s+/)
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command === undefined) {
    const unknown = `Unknown command: ${quoted(name)}; /help lists them, // sends a message that begins with /`
    return { kind: 'show', text: unknown }
  }
  const shown = await command.run(conversation, words.join(' '))
  return shown === null ? { kind: 'quit' } : { kind: 'show', text: shown }
}

async function beginAnew(conversation: Conversation): Promise<string> {
  await conversation.forget()
  return `Session ${visibleLine(conversation.session().name)} begins anew`
}

async function session(conversation: Conversation, argument: string): Promise<string> {
  if (argument !== '') return switchTo(conversation, argument)
  const { name, id } = conversation.session()
  const others = conversation.sessionNames().filter((other) => other !== name)
  const lines = [`Session ${visibleLine(name)}: ${id === null ? 'not begun' : visibleLine(id)}`]
  if (others.length > 0) lines.push(`Others: ${listNames(others.map(visibleLine))}`)
  return lines.join('\n')
}

async function agents(conversation: Conversation, argument: string): Promise<string> {
  const known = await conversation.agents()
  if (argument === '') {
    const width = Math.max(...known.map(({ name }) => columnsOf(visibleLine(name))))
    const rows = known.map(({ name, about }) => {
      const shown = visibleLine(name)
      return `${shown}${' '.repeat(width - columnsOf(shown))}  ${visibleLine(about)}`
    })
    return rows.length === 0 ? 'No other profile is known; string bridge init writes one' : rows.join('\n')
  }
  const agent = known.find(({ name, profile }) => name === argument || profile === argument)
  if (agent === undefined) return `No agent is called ${quoted(argument)}; /agents lists them`
  await conversation.talkTo(agent)
  return `Now with ${visibleLine(agent.name)}`
}

function switchTo(conversation: Conversation, name: string): string {
  try {
    conversation.switchTo(sessionName(name))
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return error.message.split('\n')[0] ?? ''
  }
  const { id } = conversation.session()
  return `Session ${visibleLine(name)}: ${id === null ? 'not begun' : 'goes on'}`
}

function help(): string {
  const rows = COMMANDS.map(({ usage, summary }) => `${usage.padEnd(17)} ${summary}`)
  return [
    ...rows,
    'Alt-Enter         another line; so does a backslash at the end',
    'Ctrl-R            search what was typed before',
    'Ctrl-C            cancel the running turn; twice at an empty prompt: leave',
  ].join('\n')
}
