import type { Permission, PermissionRequest } from '@string-os/bridge'
import { killFamily } from '@string-os/bridge/reap'
import {
  type ApprovalAnswer,
  type ApprovalView,
  LIMITS,
  quoted,
  type TurnSummary,
  truncate,
  visibleLine,
  visibleText,
} from '@string-os/protocol'
import type { TurnHooks } from '../bridge/agent-turn.ts'
import { LEFT } from '../bridge/interruption.ts'
import { dim } from '../terminal/color.ts'
import type { PromptReader } from '../terminal/editor/prompt-reader.ts'
import { prose } from '../terminal/prose.ts'
import { type Conversation, cutIn, type PastTurn, type TurnOutcome } from './conversation.ts'
import { goesOnText } from './goes-on.ts'
import type { ReadOutput } from './markdown-output.ts'

export interface TerminalChat {
  readonly conversation: Conversation
  readonly reader: PromptReader
  /** The mark of everything that its turns start. */
  readonly owner: string
  /** The chat as a whole is to end. */
  readonly signal: AbortSignal
  readonly color: boolean
  /** Where the next turn is shown. */
  readonly output: () => ReadOutput
  /** How turns look that were asked for before. */
  readonly print: {
    readonly past: (turns: readonly PastTurn[], how: { readonly isShort: boolean }) => string
    readonly asked: (turn: TurnSummary) => string
  }
}

/** One turn on the terminal: Ctrl-C cancels it, and a second one does not wait for an agent that takes its time to end. */
export async function terminalTurn(
  chat: TerminalChat,
  take: (hooks: TurnHooks) => Promise<TurnOutcome>,
): Promise<TurnOutcome> {
  const { conversation, reader, owner, signal, color } = chat
  const output = chat.output()
  const cancel = new AbortController()
  const now = new AbortController()
  const oneByOne = inOrder()
  reader.whileBusy((how) => {
    if (cancel.signal.aborted) {
      void killFamily({ owner })
      return now.abort()
    }
    cancel.abort(how === 'leave' ? LEFT : undefined)
    if (how === 'cancel') output.cancelling()
  })
  const result = await take({
    owner,
    signal: AbortSignal.any([cancel.signal, signal]),
    now: now.signal,
    onPartial: output.partial,
    onWarning: output.warning,
    onNote: output.note,
    onStep: output.step,
    onApproval: (approval, over) =>
      oneByOne(() => {
        output.breakLine()
        return askApproval(chat, approval, AbortSignal.any([over, cancel.signal]))
      }),
    onPermission: (request, over) =>
      oneByOne(() => {
        output.breakLine()
        return askPermission(chat, request, AbortSignal.any([over, cancel.signal]))
      }),
  })
  if (result.goesOn !== undefined) {
    output.breakLine()
    reader.print(dim(prose(goesOnText(conversation, result.goesOn), process.stdout), color))
  } else if (!result.cancelled || result.isEndedElsewhere === true) {
    await output.finish(result)
    const cut = await cutIn(result, conversation)
    if (cut !== null) output.note(cut)
    // Whoever ended it, or its agent, did not mean what was to come behind it.
    if (result.isEndedElsewhere === true) reader.putBack()
  } else {
    output.breakLine()
    // Of an agent that is run from here; of one in the daemon it has been told.
    if (result.body.trim() !== '') reader.print(visibleText(result.body.trimEnd()))
    reader.print(dim('(cancelled)', color))
  }
  return result
}

/** A person is asked one thing at a time, however many an agent wants to know at once. */
function inOrder(): <T>(ask: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (ask) => {
    const answer = last.then(ask)
    last = answer.catch(() => undefined)
    return answer
  }
}

/** Null: nobody needs the answer any more. */
async function askApproval(
  chat: TerminalChat,
  { question, detail }: ApprovalView,
  over: AbortSignal,
): Promise<ApprovalAnswer | null> {
  if (over.aborted) return null
  chat.reader.print(`${prose(`${visibleLine(question)}:`, process.stdout)}\n${indented(visibleText(detail))}`)
  return askAllowed(chat, null, over)
}

/** Only a clear yes allows, and only a clear no denies; Enter alone is one. Null: neither was said. `whole` is shown when it is asked for. */
async function askAllowed(
  { reader, color }: TerminalChat,
  whole: string | null,
  over: AbortSignal,
): Promise<'allow' | 'deny' | null> {
  const say = (text: string): void => reader.print(dim(prose(text, process.stdout), color))
  for (;;) {
    const answer = await reader.ask(`Allow it? [y/N${whole === null ? '' : ', a shows all of it'}] `, over)
    if (over.aborted || answer === null) return null
    const said = answer.trim().toLowerCase()
    if (whole !== null && /^a(ll)?$/.test(said)) reader.print(visibleLine(whole))
    else if (/^y(es)?$/.test(said)) {
      say('(allowed)')
      return 'allow'
    } else if (/^(no?)?$/.test(said)) {
      say('(denied)')
      return 'deny'
    } else say('(y allows it, n or Enter denies it)')
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

/** What was too long to be shown at once is shown when it is asked for. */
async function askPermission(
  chat: TerminalChat,
  { tool_name, input }: PermissionRequest,
  over: AbortSignal,
): Promise<Permission> {
  if (over.aborted) return 'deny'
  const whole = JSON.stringify(input) ?? ''
  const isCut = whole.length > LIMITS.shownInputChars
  chat.reader.print(`The agent asks to use ${quoted(tool_name)}: ${isCut ? bothEnds(whole) : visibleLine(whole)}`)
  return (await askAllowed(chat, isCut ? whole : null, over)) ?? 'deny'
}

/** Of a text that is very long, both ends and how much lies between, so that nothing hides behind a cut. */
function bothEnds(text: string): string {
  const half = LIMITS.shownInputChars / 2
  const head = truncate(text, half).slice(0, -1)
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, '')
  const left = text.length - head.length - tail.length
  return `${visibleLine(head)}\n(… ${left} of ${text.length} characters are not shown …)\n${visibleLine(tail)}`
}
