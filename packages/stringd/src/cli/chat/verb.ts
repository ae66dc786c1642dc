import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { findAgent } from '../bridge/agent-turn.ts'
import { sessionName } from '../bridge/run-flags.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { startConversation } from './conversation.ts'

const HELP = `string chat: talk to an agent

  string chat --profile FILE [--session NAME] [--new] [--cwd DIR]

  --profile FILE   how the agent is run; string bridge init writes one
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
  if (values.profile === undefined) throw usageError('Which agent? string chat --profile FILE')
  const place = await findAgent(values.profile, values.cwd ?? invocation.cwd, config)
  const conversation = startConversation(place, sessionName(values.session))
  if (values.new === true) await conversation.forget()
  if (process.stdin.isTTY && process.stdout.isTTY) {
    return (await import('./chat-terminal.ts')).chatInTerminal(conversation, values.profile, config)
  }
  return (await import('./chat-pipe.ts')).chatOverPipe(conversation, config)
}

function notYet(): CliError {
  return new CliError(
    EXIT.usage,
    'Turns of registered agents come with a later version; string chat --profile FILE talks to an agent now',
  )
}
