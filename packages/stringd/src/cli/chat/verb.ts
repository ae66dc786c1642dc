import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { type AgentPlace, findAgent } from '../bridge/agent-turn.ts'
import { sessionName } from '../bridge/run-flags.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { workingDir } from '../working-dir.ts'
import { startConversation } from './conversation.ts'
import { type KnownAgent, knownAgents } from './known-agents.ts'

const HELP = `string chat: talk to an agent

  string chat [--profile FILE] [--session NAME] [--new] [--cwd DIR]

  --profile FILE   how the agent is run; string bridge init writes one. Without it, you choose of those that are known
  --session NAME   which conversation to go on with (default)
  --new            begin it anew
  --cwd DIR        where the agent runs, whatever its profile says

In the chat: /help. In a pipe, every line is a message.
`

const OPTIONS = {
  profile: { type: 'string' },
  agent: { type: 'string' },
  session: { type: 'string' },
  cwd: { type: 'string' },
  new: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** `string chat` */
export async function runChatVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  if (values.help === true) {
    process.stdout.write(HELP)
    return EXIT.ok
  }
  if (words.length > 0) throw usageError(`Too many arguments: ${words.join(' ')} (string chat --profile FILE)`)
  if (values.agent !== undefined || invocation.agent !== null) throw notYet()
  const session = sessionName(values.session)
  const folder = values.cwd ?? invocation.cwd
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const list = (): Promise<readonly KnownAgent[]> => knownAgents(workingDir(folder), config)
  const profile = values.profile ?? (isTerminal ? await pickAgent(await list(), config) : null)
  if (profile === null) throw usageError('Which agent? string chat --profile FILE; string bridge init writes a profile')
  const place = await findAgent(profile, folder, config)
  const find = (agent: KnownAgent): Promise<AgentPlace> => findAgent(agent.profile, folder, config)
  const conversation = startConversation(place, session, { list, find })
  if (values.new === true) await conversation.forget()
  if (isTerminal) return (await import('./chat-terminal.ts')).chatInTerminal(conversation, profile, config)
  return (await import('./chat-pipe.ts')).chatOverPipe(conversation, config)
}

/** One that is known; null when there is none, or none of them is meant. */
async function pickAgent(known: readonly KnownAgent[], { color }: Config): Promise<string | null> {
  if (known.length === 0) return null
  const { pick } = await import('../terminal-tools.ts')
  const chosen = await pick('Whom do you want to talk to?', known, { color, links: false })
  return chosen === null ? null : (known[chosen]?.profile ?? null)
}

function notYet(): CliError {
  return new CliError(
    EXIT.usage,
    'Turns of registered agents come with a later version; string chat --profile FILE talks to an agent now',
  )
}
