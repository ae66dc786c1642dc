import {
  type CompletionItem,
  type CompletionView,
  didYouMean,
  LIMITS,
  listNames,
  matching,
  nearest,
  quoted,
  visibleLine,
} from '@string-os/protocol'
import { sessionName } from '../bridge/run-flags.ts'
import { CliError } from '../exit.ts'
import { inOwnName } from '../program-name.ts'
import { columnsOf, fitColumns } from '../terminal/columns.ts'
import type { Conversation, PastTurn } from './conversation.ts'

/** What a typed text means: something to show, the end of the chat, or a message for the agent. */
export type Meaning =
  | { readonly kind: 'show'; readonly text: string; readonly isMistake?: true }
  /** The talk goes on elsewhere: with another agent, or in another session. */
  | { readonly kind: 'moved'; readonly text: string }
  /** What was said before. */
  | { readonly kind: 'past'; readonly turns: readonly PastTurn[] }
  | { readonly kind: 'quit' }
  | { readonly kind: 'say'; readonly message: string }

interface ChatCommand {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly run: (conversation: Conversation, argument: string) => Promise<Meaning>
  /** What may stand behind its name. */
  readonly names?: (conversation: Conversation) => Promise<readonly Omit<CompletionItem, 'kind'>[]>
}

const HISTORY_TURNS = 10

const COMMANDS: readonly ChatCommand[] = [
  {
    name: '/history',
    usage: '/history [N]',
    summary: `what was said before: the last ${HISTORY_TURNS}, or N, messages and answers`,
    run: history,
  },
  { name: '/new', usage: '/new', summary: 'begin this session anew', run: beginAnew },
  {
    name: '/session',
    usage: '/session [NAME]',
    summary: 'show the session, or switch to another',
    run: session,
    names: async (conversation) => conversation.sessionNames().map((text) => ({ text, about: null })),
  },
  {
    name: '/agents',
    usage: '/agents [NAME]',
    summary: 'who can be talked to; with a name: talk to that one',
    run: agents,
    names: async (conversation) => (await conversation.agents()).map(({ name, about }) => ({ text: name, about })),
  },
  { name: '/help', usage: '/help', summary: 'this list', run: async () => shown(help()) },
  { name: '/quit', usage: '/quit', summary: 'leave (also Ctrl-D)', run: async () => ({ kind: 'quit' }) },
]

/** Names that others know for the same. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['/exit', '/quit'],
  ['/q', '/quit'],
  ['/bye', '/quit'],
  ['/h', '/help'],
  ['/?', '/help'],
  ['/resume', '/session'],
  ['/agent', '/agents'],
  ['/sessions', '/session'],
])

/** What other chats have, and what does it here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['/clear', 'Ctrl-L empties the window, /new begins this session anew'],
  ['/reset', '/new begins this session anew'],
  ['/retry', '↑ and Enter send the last message once more'],
  ['/stop', 'Ctrl-C cancels the turn that runs'],
  ['/cancel', 'Ctrl-C cancels the turn that runs'],
  ['/status', '/agents tells how agents are, /session which session this is'],
  ['/model', 'the model is chosen in the profile of the agent'],
])

/** What may be typed where a text ends: the commands of the chat, and what they take. */
export async function completeChat(text: string, conversation: Conversation): Promise<CompletionView> {
  const [, name, typed = ''] = /^(\/\w+)\s+(\S*)$/.exec(text) ?? []
  if (name !== undefined) {
    const names = (await find(name)?.names?.(conversation)) ?? []
    const items = matching(names, typed, (item) => item.text).map((item) => ({ ...item, kind: 'value' as const }))
    return { from: text.length - typed.length, items, total: items.length, usage: null }
  }
  const commands = text.startsWith('/') ? matching(COMMANDS, text, ({ name: each }) => each) : []
  const items = commands.map((command) => ({ text: command.name, kind: 'command', about: command.summary }) as const)
  return { from: 0, items, total: items.length, usage: find(text.trimEnd())?.usage ?? null }
}

/** One slash begins a command of the chat; two stand for a message that begins with one. */
export async function understand(text: string, conversation: Conversation): Promise<Meaning> {
  if (text.startsWith('//')) return { kind: 'say', message: text.slice(1) }
  if (!text.startsWith('/')) return { kind: 'say', message: text }
  const [name = '', ...words] = text.trim().split(/\s+/)
  const command = find(name)
  return command === undefined ? mistake(unknown(name)) : command.run(conversation, words.join(' '))
}

/** Whether a text is a command of the chat. */
export function isChatCommand(text: string): boolean {
  return find(text.split(/\s/, 1)[0] ?? '') !== undefined
}

function find(name: string): ChatCommand | undefined {
  const known = ALIASES.get(name) ?? name
  return COMMANDS.find((candidate) => candidate.name === known)
}

function unknown(name: string): string {
  const known = ELSEWHERE.get(name)
  if (known !== undefined) return `Unknown command: ${name}; ${known}`
  const meant = didYouMean(
    name,
    COMMANDS.map((command) => command.name),
  )
  const next = meant === '' ? '/help lists them, // sends a message that begins with /' : meant.replace(/^D/, 'd')
  return `Unknown command: ${quoted(name)}; ${next}`
}

function shown(text: string): Meaning {
  return { kind: 'show', text }
}

/** Nobody means to type that again. */
function mistake(text: string): Meaning {
  return { kind: 'show', text, isMistake: true }
}

async function history(conversation: Conversation, argument: string): Promise<Meaning> {
  if (argument !== '' && !/^[1-9]\d{0,5}$/.test(argument))
    return mistake(`Not a number of messages: ${quoted(argument)}; /history 20 shows the last 20`)
  const turns = await conversation.past(Math.min(LIMITS.listedTurnsMax, Number(argument || HISTORY_TURNS)))
  if (turns === null)
    return shown(
      inOwnName('Only the agent knows: string agent add NAME --profile FILE makes it one whose history is kept'),
    )
  return turns.length === 0 ? shown('Nothing was said in this session yet') : { kind: 'past', turns }
}

async function beginAnew(conversation: Conversation): Promise<Meaning> {
  await conversation.forget()
  return shown(`Session ${visibleLine(conversation.session().name)} begins anew`)
}

async function session(conversation: Conversation, argument: string): Promise<Meaning> {
  if (argument !== '') return switchTo(conversation, argument)
  const { name } = conversation.session()
  const others = conversation.sessionNames().filter((other) => other !== name)
  const lines = [`Session ${visibleLine(name)}: ${await standing(conversation)}`]
  if (others.length > 0) lines.push(`Others: ${listNames(others.map(visibleLine))}`)
  return shown(lines.join('\n'))
}

async function agents(conversation: Conversation, argument: string): Promise<Meaning> {
  const known = await conversation.agents()
  if (argument === '') {
    if (known.length === 0) return shown(inOwnName('No other profile is known; string bridge init writes one'))
    const width = Math.max(...known.map(({ name }) => columnsOf(visibleLine(name))))
    const rows = known.map(({ name, about }) => agentRow(visibleLine(name), visibleLine(about), width))
    return shown([...rows, '/agents NAME talks to another'].join('\n'))
  }
  const agent = known.find(({ name, profile }) => name === argument || profile === argument)
  if (agent === undefined) return mistake(noSuchAgent(argument, known))
  await conversation.talkTo(agent)
  return { kind: 'moved', text: `Now with ${visibleLine(agent.name)}` }
}

function agentRow(name: string, about: string, width: number): string {
  const row = `${name}${' '.repeat(width - columnsOf(name))}  ${about}`
  return process.stdout.isTTY ? fitColumns(row, process.stdout.columns || 80) : row
}

function noSuchAgent(name: string, known: readonly { readonly name: string }[]): string {
  const close = nearest(
    name,
    known.map((agent) => agent.name),
  )
  return `No agent is called ${quoted(name)}; ${close === null ? '/agents lists them' : `did you mean /agents ${close}?`}`
}

/** One of which the first turn still runs has no id yet. */
async function standing(conversation: Conversation): Promise<string> {
  const { id } = conversation.session()
  if (id !== null) return visibleLine(id)
  const [last] = (await conversation.past(1)) ?? []
  return last?.result === null ? 'its first turn is not over' : 'not begun'
}

async function switchTo(conversation: Conversation, name: string): Promise<Meaning> {
  try {
    conversation.switchTo(sessionName(name))
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return mistake(error.message.split('\n')[0] ?? '')
  }
  const { id } = conversation.session()
  return {
    kind: 'moved',
    text: `Session ${visibleLine(name)}: ${id === null ? await standing(conversation) : 'goes on'}`,
  }
}

function help(): string {
  const rows = COMMANDS.map(({ usage, summary }) => `${usage.padEnd(17)} ${summary}`)
  return [
    ...rows,
    'Alt-Enter         another line; so does a backslash at the end',
    'Ctrl-R            search what was typed before',
    'Enter, meanwhile  what is typed while an answer comes waits its turn; Ctrl-C gives it back',
    'Ctrl-C            cancel the running turn; twice at an empty prompt: leave',
  ].join('\n')
}
