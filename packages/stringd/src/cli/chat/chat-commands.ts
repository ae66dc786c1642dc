import { listNames, quoted, visibleLine } from '@string-os/protocol'
import { sessionName } from '../bridge/run-flags.ts'
import { CliError } from '../exit.ts'
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
  { name: '/help', usage: '/help', summary: 'this list', run: async () => help() },
  { name: '/quit', usage: '/quit', summary: 'leave (also Ctrl-D)', run: async () => null },
]

export const CHAT_COMMAND_NAMES: readonly string[] = COMMANDS.map(({ name }) => name)

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
  return [...rows, 'Ctrl-C            cancel the running turn; twice at an empty prompt: leave'].join('\n')
}
