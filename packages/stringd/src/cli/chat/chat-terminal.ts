import { newOwner } from '@string-os/bridge/reap'
import { visibleLine } from '@string-os/protocol'
import { type Config, knowsLinks, ownEnvironment } from '../../config.ts'
import { listenForSignals } from '../bridge/interruption.ts'
import { warn } from '../bridge/turn-output.ts'
import { EXIT } from '../exit.ts'
import { dim } from '../terminal/color.ts'
import type { MarkdownManner } from '../terminal/markdown/render.ts'
import { completeChat, understand } from './chat-commands.ts'
import type { Conversation } from './conversation.ts'
import { markdownOutput } from './markdown-output.ts'
import { type TerminalChat, terminalTurn } from './terminal-turn.ts'

/** A conversation on a terminal. Ctrl-C cancels the turn that runs, never the chat. */
export async function chatInTerminal(conversation: Conversation, agent: string, config: Config): Promise<number> {
  const { color, dataDir } = config
  const { openHistory, PromptReader, MarkdownStream } = await import('../terminal-tools.ts')
  const history = await openHistory(dataDir, 'chat-history', warn)
  const owner = newOwner(ownEnvironment())
  const interruption = listenForSignals(owner)
  const links = knowsLinks()
  const reader = new PromptReader({
    history,
    complete: async (text) => completeChat(text),
    unfinished: (text) => (text.endsWith('\\') ? { text: `${text.slice(0, -1)}\n`, isBody: false } : null),
    farewell: [{ text: 'Ctrl-C again leaves; so do Ctrl-D and /quit', styles: ['dim'] }],
    onGone: interruption.hangUp,
    paint: { color, links },
  })
  const manner = (): MarkdownManner => ({ color, links, width: process.stdout.columns || 80 })
  interruption.signal.addEventListener('abort', () => reader.close())
  console.log(dim(`${visibleLine(agent)}: /help lists what can be done, Ctrl-D leaves`, color))
  await converse({
    conversation,
    reader,
    owner,
    signal: interruption.signal,
    color,
    output: () => markdownOutput(new MarkdownStream(process.stdout, manner), color),
  })
  reader.close()
  interruption.end()
  return interruption.exitCode() ?? EXIT.ok
}

async function converse(chat: TerminalChat): Promise<void> {
  const { conversation, reader, signal, color } = chat
  while (!signal.aborted) {
    const text = await reader.next([{ text: visibleLine(conversation.label()) }, { text: '> ' }])
    if (text === null) return
    const meaning = text === '' ? null : await understand(text, conversation)
    if (meaning?.kind === 'quit') return
    if (meaning?.kind === 'show') console.log(dim(meaning.text, color))
    if (meaning?.kind === 'say') await terminalTurn(chat, meaning.message)
  }
}
