import { newOwner } from '@string-os/bridge/reap'
import { visibleLine } from '@string-os/protocol'
import { type Config, ownEnvironment } from '../../config.ts'
import { listenForSignals } from '../bridge/interruption.ts'
import { warn } from '../bridge/turn-output.ts'
import { EXIT } from '../exit.ts'
import { dim } from '../terminal/color.ts'
import { CHAT_COMMAND_NAMES, understand } from './chat-commands.ts'
import type { Conversation } from './conversation.ts'
import { openHistory } from './history.ts'
import { LineReader } from './line-reader.ts'
import { type TerminalChat, terminalTurn } from './terminal-turn.ts'

/** A conversation on a terminal. Ctrl-C cancels the turn that runs, never the chat. */
export async function chatInTerminal(conversation: Conversation, agent: string, config: Config): Promise<number> {
  const { color, dataDir } = config
  const hint = dim('Ctrl-C again leaves; so do Ctrl-D and /quit', color)
  const history = await openHistory(dataDir, warn)
  const owner = newOwner(ownEnvironment())
  const interruption = listenForSignals(owner)
  const reader = new LineReader({ history, completions: CHAT_COMMAND_NAMES, hint, onGone: interruption.hangUp })
  interruption.signal.addEventListener('abort', () => reader.close())
  console.log(dim(`${visibleLine(agent)}: /help lists what can be done, Ctrl-D leaves`, color))
  await converse({ conversation, reader, owner, signal: interruption.signal, color })
  reader.close()
  interruption.end()
  return interruption.exitCode() ?? EXIT.ok
}

async function converse(chat: TerminalChat): Promise<void> {
  const { conversation, reader, signal, color } = chat
  while (!signal.aborted) {
    const text = await reader.next(`${visibleLine(conversation.session().name)}> `)
    if (text === null) {
      // The prompt stands alone on its line.
      console.log()
      return
    }
    const meaning = text === '' ? null : await understand(text, conversation)
    if (meaning?.kind === 'quit') return
    if (meaning?.kind === 'show') console.log(dim(meaning.text, color))
    if (meaning?.kind === 'say') await terminalTurn(chat, meaning.message)
  }
}
