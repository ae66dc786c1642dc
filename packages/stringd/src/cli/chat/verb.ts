import { listNames, quoted, stripEnd } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { namedAgent } from '../agent/named-agent.ts'
import { agentToTalkTo, mustAnswer } from '../agent/talking-agent.ts'
import type { Invocation } from '../arguments.ts'
import { type AgentPlace, findAgent } from '../bridge/agent-turn.ts'
import { INTERRUPTED } from '../bridge/interruption.ts'
import { sessionName } from '../bridge/run-flags.ts'
import { warn } from '../bridge/turn-output.ts'
import { asCliError } from '../daemon/connect.ts'
import { ensureDaemon } from '../daemon/find-daemon.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { readStdin } from '../stdin.ts'
import { hasPromptPlace, whyNoPrompt } from '../terminal/prompt-place.ts'
import { prose } from '../terminal/prose.ts'
import { workingDir } from '../working-dir.ts'
import { type Conversation, startConversation } from './conversation.ts'
import { daemonConversation } from './daemon-conversation.ts'
import { daemonLine } from './daemon-line.ts'
import { type KnownAgent, knownAgents } from './known-agents.ts'

const OPTIONS = {
  profile: { type: 'string' },
  agent: { type: 'string' },
  session: { type: 'string' },
  cwd: { type: 'string' },
  new: { type: 'boolean' },
  message: { type: 'string', short: 'm' },
  json: { type: 'boolean' },
} as const

interface Manner {
  readonly isNew: boolean
  /** The only one; null: those of the terminal or pipe. */
  readonly message: string | null
  readonly isJson: boolean
}

/** `string chat` */
export async function runChatVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const session = sessionName(values.session)
  const named = chatAgent(words, { ...values, agent: values.agent ?? invocation.agent ?? undefined })
  const isJson = values.json === true || invocation.format === 'json'
  if (isJson && values.message === undefined) throw usageError('--json is for one message: give it with -m')
  const manner: Manner = { isNew: values.new === true, message: await messageOf(values.message), isJson }
  if (named !== null && values.profile !== undefined) throw usageError('Either --agent or --profile')
  if (named !== null) return chatWithAgent(named, session, manner, config)
  const folder = values.cwd ?? invocation.cwd
  const list = (): Promise<readonly KnownAgent[]> => knownAgents(workingDir(folder), config)
  const picked = values.profile === undefined && hasPromptPlace() ? await pickAgent(list, config) : null
  if (picked === 'left') return EXIT.ok
  if (picked === 'interrupted') return INTERRUPTED
  if (picked?.isInDaemon === true) return chatWithAgent(picked.name, session, manner, config)
  const profile = values.profile ?? picked?.profile ?? null
  if (profile === null) throw await noneToTalkTo(list)
  const place = await findAgent(profile, folder, config)
  const find = (agent: KnownAgent): Promise<AgentPlace> => findAgent(agent.profile, folder, config)
  return chat(startConversation(place, session, { list, find }), { name: profile, notes: [] }, manner, config)
}

async function noneToTalkTo(list: () => Promise<readonly KnownAgent[]>): Promise<CliError> {
  const known = await list()
  return known.length > 0 ? usageError(whichAgent(known)) : new CliError(EXIT.usage, NO_AGENT)
}

const NO_AGENT = [
  'There is no agent to talk to yet. Two lines make one, and string chat bob talks to it:',
  '  string bridge init bob',
  '  string agent add bob --profile bob/agent.yaml',
].join('\n')

function whichAgent(known: readonly KnownAgent[]): string {
  const living = known.filter(({ isInDaemon }) => isInDaemon === true).map(({ name }) => name)
  const those = living.length === 0 ? '' : `\nIn the daemon: ${listNames(living)}`
  return `Which agent? string chat --agent ID or --profile FILE; string bridge init writes a profile${those}`
}

/** Words behind the agent's are most often a message. */
function chatAgent(
  [word, ...said]: readonly string[],
  { agent, message }: { readonly agent?: string | undefined; readonly message?: string | undefined },
): string | null {
  if (said.length === 0) return namedAgent(word === undefined ? [] : [word], agent ?? null)
  const line = said.join(' ')
  const next =
    message === undefined
      ? `-m says it: string chat ${word} -m ${shellWord(line)}`
      : `one message goes with -m: string chat ${word} -m ${shellWord(`${message} ${line}`)}`
  throw usageError(`Too many arguments: ${quoted(line, 60)}; ${next}`)
}

/** `-` is all of standard input. */
async function messageOf(given: string | undefined): Promise<string | null> {
  if (given?.trim() === '') throw usageError('There is no message: -m is empty')
  if (given !== '-') return given ?? null
  if (process.stdin.isTTY)
    throw usageError('-m - reads the message from a pipe or a file: string chat AGENT -m - < FILE')
  const text = stripEnd(await readStdin(), '\r\n')
  if (text.trim() === '') throw usageError('There is no message: standard input is empty')
  return text
}

/** With an agent of the daemon, which is started where none runs. */
async function chatWithAgent(id: string, session: string, manner: Manner, config: Config): Promise<number> {
  const line = await daemonLine(config)
  try {
    const agent = await agentToTalkTo(line.clientOf(id), id)
    if (manner.message === null && hasPromptPlace()) mustAnswer(agent)
    const conversation = await daemonConversation(line, id, session)
    return await chat(conversation, { name: id, notes: agent.paused ? [pausedText(id)] : [] }, manner, config)
  } catch (error) {
    throw asCliError(error)
  }
}

/** Stopped or paused: who talks to it is answered nevertheless. */
function pausedText(id: string): string {
  return inOwnName(`${id} is paused: events wait for string agent start ${id}; you are answered`)
}

/** What is said to a person before the first message. */
interface Opening {
  readonly name: string
  readonly notes: readonly string[]
}

async function chat(
  conversation: Conversation,
  { name, notes }: Opening,
  { isNew, message, isJson }: Manner,
  config: Config,
): Promise<number> {
  if (isNew) await conversation.forget()
  if (message === null && hasPromptPlace())
    return (await import('./chat-terminal.ts')).chatInTerminal(conversation, name, notes, config)
  const why = whyNoPrompt()
  if (message === null && why !== null)
    process.stderr.write(`${prose(`(${why}: each line is a message)`, process.stderr)}\n`)
  return (await import('./chat-pipe.ts')).chatOverPipe(conversation, { message, isJson }, config)
}

/** One that is known; null where there is none to choose. Those of the daemon are known to it alone, so it is started. */
async function pickAgent(
  list: () => Promise<readonly KnownAgent[]>,
  config: Config,
): Promise<KnownAgent | 'left' | 'interrupted' | null> {
  await ensureDaemon(config).catch((error: Error) => warn(`Agents of the daemon are not listed: ${error.message}`))
  const known = await list()
  if (known.length === 0) return null
  const { pick } = await import('../terminal-tools.ts')
  const chosen = await pick('Talk to which agent?', known, { color: config.color, links: false })
  return typeof chosen === 'number' ? (known[chosen] ?? null) : chosen
}
