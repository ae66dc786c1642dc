import { newOwner } from '@string-os/bridge/reap'
import { type TurnSummary, visibleLine } from '@string-os/protocol'
import { type Config, knowsLinks, ownEditor, ownEnvironment } from '../../config.ts'
import { listenForSignals } from '../bridge/interruption.ts'
import { warn } from '../bridge/turn-output.ts'
import { asCliError } from '../daemon/connect.ts'
import { EXIT, isCliError } from '../exit.ts'
import { dim, red } from '../terminal/color.ts'
import type { MarkdownManner } from '../terminal/markdown/render.ts'
import { prose } from '../terminal/prose.ts'
import { catchUp } from './catch-up.ts'
import { completeChat, isChatCommand, understand } from './chat-commands.ts'
import { chatPrompt } from './chat-prompt.ts'
import type { Conversation, PastTurn } from './conversation.ts'
import { markdownOutput } from './markdown-output.ts'
import type { PastManner } from './past-turns.ts'
import { type TerminalChat, terminalTurn } from './terminal-turn.ts'

/** Of what was said before, so much is shown to whoever comes back. */
const SHORT_LINES = 12

/** A conversation on a terminal. Ctrl-C cancels the turn that runs, never the chat. `notes` are said first. */
export async function chatInTerminal(
  conversation: Conversation,
  agent: string,
  notes: readonly string[],
  config: Config,
): Promise<number> {
  const { color, dataDir } = config
  const { openHistory, PromptReader, MarkdownStream, pastText, askedText, renderMarkdown } = await import(
    '../terminal-tools.ts'
  )
  const history = await openHistory(dataDir, 'chat-history', warn)
  const owner = newOwner(ownEnvironment())
  const interruption = listenForSignals(owner)
  const links = knowsLinks()
  const reader = new PromptReader({
    history,
    // Who cannot be asked has nothing to complete.
    complete: (text) => completeChat(text, conversation).catch(() => null),
    unfinished: (text) => (text.endsWith('\\') ? { text: `${text.slice(0, -1)}\n`, isBody: false } : null),
    isCommand: isChatCommand,
    farewell: () => [{ text: 'Ctrl-C again leaves; so do Ctrl-D and /quit', styles: ['dim'] }],
    editor: ownEditor(),
    onGone: interruption.hangUp,
    paint: { color, links },
  })
  const manner = (): MarkdownManner => ({ color, links, width: process.stdout.columns || 80 })
  const page = (answer: string): Promise<void> => reader.page(() => renderMarkdown(answer.trimEnd(), manner()))
  const past = (isShort: boolean): PastManner => ({
    ...manner(),
    label: visibleLine(conversation.label()),
    now: Date.now(),
    most: isShort ? SHORT_LINES : null,
  })
  interruption.signal.addEventListener('abort', () => reader.close())
  for (const text of [`${visibleLine(agent)}: /help lists what can be done, Ctrl-D leaves`, ...notes])
    reader.print(dim(prose(text, process.stdout), color))
  await converse({
    conversation,
    reader,
    owner,
    signal: interruption.signal,
    color,
    output: () => markdownOutput(new MarkdownStream(reader.stage, manner), { stage: reader.stage, color, page }),
    print: {
      past: (turns: readonly PastTurn[], { isShort }) => pastText(turns, past(isShort)),
      asked: (turn: TurnSummary) => askedText(turn, past(true)),
    },
  })
  reader.close()
  interruption.end()
  return interruption.exitCode() ?? EXIT.ok
}

async function converse(chat: TerminalChat): Promise<void> {
  const { conversation, reader, signal } = chat
  await attempt(chat, () => catchUp(chat))
  while (!signal.aborted) {
    const text = await reader.next(chatPrompt(conversation))
    if (text === null) return
    if (text === '') continue
    const isGoingOn = await attempt(chat, () => obey(chat, text))
    if (isGoingOn === false) return
    if (isGoingOn === null) giveBack(chat, text)
  }
}

/** Each by itself: of what is taller than the window only some are shown. */
function dimLines(text: string, color: boolean): string {
  const lines = prose(text, process.stdout).split('\n')
  return lines.map((line) => dim(line, color)).join('\n')
}

/** What nobody has taken is not lost: it stands at the prompt, with what was typed behind it. */
function giveBack({ reader, color }: TerminalChat, text: string): void {
  reader.putBack(text)
  reader.print(dim(prose('(it stands at the prompt again: Enter sends it once more)', process.stdout), color))
}

/** A daemon that cannot be asked now may be back for the next message. */
async function attempt<T>({ reader, color }: TerminalChat, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    const said = asCliError(error)
    if (!isCliError(said)) throw error
    reader.print(red(prose(said.message, process.stdout), color))
    return null
  }
}

/** One text; false when it ends the chat, null where nothing came of it. */
async function obey(chat: TerminalChat, text: string): Promise<boolean | null> {
  const { conversation, reader, color, print } = chat
  const meaning = await understand(text, conversation)
  switch (meaning.kind) {
    case 'quit':
      return false
    case 'say': {
      const { isUnsent = false } = await terminalTurn(chat, (hooks) => conversation.say(meaning.message, hooks))
      return isUnsent ? null : true
    }
    case 'past':
      await reader.page(() => print.past(meaning.turns, { isShort: false }))
      return true
    case 'show':
    case 'moved':
      if (meaning.kind === 'show' && meaning.isMistake === true) reader.refuse(text)
      await reader.page(() => dimLines(meaning.text, color))
      if (meaning.kind === 'moved') await catchUp(chat)
      return true
  }
}
