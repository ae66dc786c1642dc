import type { Permission, PermissionRequest } from '@string-os/bridge'
import { killFamily } from '@string-os/bridge/reap'
import { count, LIMITS, quoted, visibleLine } from '@string-os/protocol'
import { plainOutput } from '../bridge/turn-output.ts'
import { dim } from '../color.ts'
import type { Conversation } from './conversation.ts'
import type { LineReader } from './line-reader.ts'

export interface TerminalChat {
  readonly conversation: Conversation
  readonly reader: LineReader
  /** The mark of everything that its turns start. */
  readonly owner: string
  /** The chat as a whole is to end. */
  readonly signal: AbortSignal
  readonly color: boolean
}

/** One turn on the terminal: Ctrl-C cancels it, and a second one does not wait for an agent that takes its time to end. */
export async function terminalTurn(chat: TerminalChat, message: string): Promise<void> {
  const { conversation, reader, owner, signal, color } = chat
  const output = plainOutput(color)
  const cancel = new AbortController()
  reader.whileBusy(() => (cancel.signal.aborted ? void killFamily({ owner }) : cancel.abort()))
  const result = await conversation.say(message, {
    owner,
    signal: AbortSignal.any([cancel.signal, signal]),
    onPartial: output.partial,
    onWarning: output.warning,
    onPermission: (request, over) => {
      output.breakLine()
      return askPermission(reader, request, AbortSignal.any([over, cancel.signal]))
    },
  })
  if (!result.cancelled) output.finish(result)
  else {
    output.breakLine()
    console.log(dim('(cancelled)', color))
  }
}

/** Only a clear yes allows. */
async function askPermission(
  reader: LineReader,
  { tool_name, input }: PermissionRequest,
  over: AbortSignal,
): Promise<Permission> {
  if (over.aborted) return 'deny'
  const tool = quoted(tool_name)
  console.log(`The agent asks to use ${tool}: ${shownInput(JSON.stringify(input) ?? '')}`)
  const answer = await reader.ask('Allow it? [y/N] ', over)
  return /^y(es)?$/i.test(answer?.trim() ?? '') ? 'allow' : 'deny'
}

/** What is left out is counted, so that nobody says yes to the beginning alone. */
function shownInput(text: string): string {
  const left = text.length - LIMITS.shownInputChars
  return left <= 0 ? visibleLine(text) : `${quoted(text, LIMITS.shownInputChars)} (${count(left, 'character')} more)`
}
