import type { StringClient } from '@string-os/client'
import type { Config } from '../../config.ts'
import { knownAgent } from '../agent/known-agent.ts'
import { namedAgent } from '../agent/named-agent.ts'
import type { Invocation } from '../arguments.ts'
import { type AgentPlace, findAgent } from '../bridge/agent-turn.ts'
import { sessionName } from '../bridge/run-flags.ts'
import { asCliError, patientClient } from '../daemon/connect.ts'
import { ensureDaemon } from '../daemon/find-daemon.ts'
import { usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { workingDir } from '../working-dir.ts'
import { type Conversation, startConversation } from './conversation.ts'
import { daemonConversation } from './daemon-conversation.ts'
import { type KnownAgent, knownAgents } from './known-agents.ts'

const OPTIONS = {
  profile: { type: 'string' },
  agent: { type: 'string' },
  session: { type: 'string' },
  cwd: { type: 'string' },
  new: { type: 'boolean' },
  message: { type: 'string', short: 'm' },
} as const

interface Manner {
  readonly isNew: boolean
  /** The only one; null: those of the terminal or pipe. */
  readonly message: string | null
}

/** `string chat` */
export async function runChatVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const session = sessionName(values.session)
  const named = namedAgent(words, values.agent ?? invocation.agent)
  const manner: Manner = { isNew: values.new === true, message: values.message ?? null }
  if (named !== null && values.profile !== undefined) throw usageError('Either --agent or --profile')
  if (named !== null) return chatWithAgent(named, session, manner, config)
  const folder = values.cwd ?? invocation.cwd
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const list = (): Promise<readonly KnownAgent[]> => knownAgents(workingDir(folder), config)
  const picked = values.profile === undefined && isTerminal ? await pickAgent(await list(), config) : null
  if (picked?.isInDaemon === true) return chatWithAgent(picked.name, session, manner, config)
  const profile = values.profile ?? picked?.profile ?? null
  if (profile === null)
    throw usageError('Which agent? string chat --agent ID or --profile FILE; string bridge init writes a profile')
  const place = await findAgent(profile, folder, config)
  const find = (agent: KnownAgent): Promise<AgentPlace> => findAgent(agent.profile, folder, config)
  return chat(startConversation(place, session, { list, find }), profile, manner, config)
}

/** With an agent of the daemon, which is started where none runs. */
async function chatWithAgent(id: string, session: string, manner: Manner, config: Config): Promise<number> {
  const { port } = await ensureDaemon(config)
  const clientOf = (agent: string): StringClient => patientClient({ ...config, agent }, port)
  const client = clientOf(id)
  try {
    await knownAgent(client, id, client.agents.get)
    return await chat(await daemonConversation(clientOf, id, session), id, manner, config)
  } catch (error) {
    throw asCliError(error)
  }
}

async function chat(
  conversation: Conversation,
  name: string,
  { isNew, message }: Manner,
  config: Config,
): Promise<number> {
  if (isNew) await conversation.forget()
  if (message === null && process.stdin.isTTY && process.stdout.isTTY)
    return (await import('./chat-terminal.ts')).chatInTerminal(conversation, name, config)
  return (await import('./chat-pipe.ts')).chatOverPipe(conversation, message, config)
}

/** One that is known; null when there is none, or none of them is meant. */
async function pickAgent(known: readonly KnownAgent[], { color }: Config): Promise<KnownAgent | null> {
  if (known.length === 0) return null
  const { pick } = await import('../terminal-tools.ts')
  const chosen = await pick('Whom do you want to talk to?', known, { color, links: false })
  return chosen === null ? null : (known[chosen] ?? null)
}
