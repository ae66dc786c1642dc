import type { TurnSummary } from '@string-os/protocol'
import { dim } from '../terminal/color.ts'
import { prose } from '../terminal/prose.ts'
import { shownSpan } from '../turns/time.ts'
import { chatPrompt } from './chat-prompt.ts'
import { type TerminalChat, terminalTurn } from './terminal-turn.ts'

/** Some more than can wait in a session beside the one that runs. */
const LOOKED_AT = 10
const OVER: readonly TurnSummary['state'][] = ['done', 'failed', 'cancelled', 'interrupted']

/** Whoever comes to a session sees how it stands: what was said last, and what is being answered. */
export async function catchUp(chat: TerminalChat): Promise<void> {
  const { conversation, reader, signal, print } = chat
  reader.announce(chatPrompt(conversation))
  const turns = (await conversation.past(LOOKED_AT)) ?? []
  const open = turns.filter(({ state }) => !OVER.includes(state))
  const last = turns.findLast(({ state }) => OVER.includes(state))
  if (last !== undefined && conversation.remembers(last) && open.length === 0)
    reader.print(print.past([last], { isShort: true }))
  for (const turn of open) {
    if (signal.aborted) return
    reader.print(print.asked(turn))
    const since = shownSpan(Date.now() - Date.parse(turn.created_at))
    reader.print(dim(prose(`(asked ${since} ago; Ctrl-C cancels it)`, process.stdout), chat.color))
    await terminalTurn(chat, (hooks) => conversation.follow(turn, hooks))
  }
}
