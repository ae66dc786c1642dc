import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { TurnResult } from '@string-os/bridge'
import { newOwner } from '@string-os/bridge/reap'
import { shortId, stripEnd } from '@string-os/protocol'
import { type Config, isDumbTerminal, knowsLinks, ownEnvironment } from '../../config.ts'
import { listenForSignals } from '../bridge/interruption.ts'
import { plainOutput, type TurnOutput } from '../bridge/turn-output.ts'
import { EXIT } from '../exit.ts'
import { inOwnName } from '../program-name.ts'
import type { MarkdownManner } from '../terminal/markdown/render.ts'
import { type Meaning, understand } from './chat-commands.ts'
import { type Conversation, cutIn, type PastTurn } from './conversation.ts'
import { goesOnText } from './goes-on.ts'
import { markdownOutput, type ReadOutput } from './markdown-output.ts'

/**
 * Every line of standard input is a message or a command of the chat; a message that is given is the only one, whatever it
 * looks like. Answers 1 when a turn failed.
 */
export async function chatOverPipe(
  conversation: Conversation,
  { message: only, isJson }: { readonly message: string | null; readonly isJson: boolean },
  config: Config,
): Promise<number> {
  const owner = newOwner(ownEnvironment())
  const interruption = listenForSignals(owner)
  const input = only === null ? process.stdin : Readable.from([])
  const lines = createInterface({ input })
  interruption.signal.addEventListener('abort', () => lines.close())
  let status: number = EXIT.ok
  for await (const line of only === null ? lines : [only]) {
    if (interruption.signal.aborted) break
    const meaning = only === null ? await meant(line, conversation) : ({ kind: 'say', message: only } as const)
    if (meaning?.kind === 'quit') break
    if (meaning?.kind === 'show' || meaning?.kind === 'moved') console.log(meaning.text)
    if (meaning?.kind === 'past') console.log(meaning.turns.map(plainExchange).join('\n'))
    if (meaning?.kind !== 'say') continue
    let turnId: string | null = null
    let code: string | null | undefined
    const output = isJson
      ? awaited(
          dataOutput(config.color, {
            turnId: () => turnId,
            code: (ended) => (code === undefined ? codeOf(ended) : code),
          }),
        )
      : await textOutput(config.color)
    const result = await conversation.say(meaning.message, {
      owner,
      signal: interruption.signal,
      now: interruption.now,
      onPartial: output.partial,
      onWarning: output.warning,
      onNote: output.note,
      onStep: output.step,
    })
    turnId = result.turnId ?? null
    code = result.code
    if (result.goesOn !== undefined) {
      output.breakLine()
      process.stderr.write(`${goesOnText(conversation, result.goesOn)}\n`)
    } else if (!interruption.isUnread()) {
      await output.finish(result)
      const cut = isJson ? null : await cutIn(result, conversation)
      if (cut !== null) output.note(cut)
      if (!isJson && result.silent === true && turnId !== null)
        output.note(inOwnName(`string turn show ${shortId(turnId)} shows all of the turn`))
    }
    if (!result.ok) status = EXIT.commandError
  }
  lines.close()
  interruption.end()
  return interruption.exitCode() ?? status
}

/** As the agent wrote it for programs; a person at a terminal reads it as in a chat. */
async function textOutput(color: boolean): Promise<ReadOutput> {
  if (!process.stdout.isTTY || isDumbTerminal()) return awaited(plainOutput(color))
  const { MarkdownStream, Stage, renderMarkdown } = await import('../terminal-tools.ts')
  const paint = { color, links: knowsLinks() }
  const stage = new Stage(process.stdout, paint)
  const manner = (): MarkdownManner => ({ ...paint, width: process.stdout.columns || 80 })
  const page = async (answer: string): Promise<void> => stage.print(renderMarkdown(answer.trimEnd(), manner()))
  return markdownOutput(new MarkdownStream(stage, manner), { stage, color, page })
}

function awaited(output: TurnOutput): ReadOutput {
  return { ...output, finish: async (result) => output.finish(result), cancelling: () => undefined }
}

/** What is known of a turn beside its result. */
interface Known {
  readonly turnId: () => string | null
  readonly code: (result: TurnResult) => string | null
}

/** Of an agent that is run here, what the daemon would call it. */
function codeOf({ ok, timed_out, cancelled, agent_error, exit_code }: TurnResult): string | null {
  if (ok) return null
  if (timed_out) return 'TIMEOUT'
  if (cancelled) return 'CANCELLED'
  return agent_error ? 'AGENT_ERROR' : `EXIT_${exit_code}`
}

/** What came of the one message, for programs; what it waits for is said beside it. */
function dataOutput(color: boolean, { turnId, code }: Known): TurnOutput {
  const beside = plainOutput(color)
  let said = ''
  return {
    ...beside,
    partial: (text) => {
      said += text
    },
    step: () => undefined,
    finish: (result) => {
      const { ok, reply, error, stderr, exit_code, timed_out, cancelled, truncated, duration_ms } = result
      beside.breakLine()
      // What was said on the way is no part of the reply at its end.
      const whole = said === '' || reply === '' ? `${said}${reply}` : `${stripEnd(said, '\n')}\n${reply}`
      const ended = { exit_code, timed_out, cancelled, truncated, duration_ms }
      console.log(JSON.stringify({ ok, turn_id: turnId(), reply: whole, code: code(result), error, stderr, ...ended }))
    },
  }
}

/** For programs: the message behind a mark, and the answer as it was written. */
function plainExchange({ message, result, state, stderr = '' }: PastTurn): string {
  const said = result === null ? `(${state})` : result.ok ? result.reply : `error: ${result.error ?? state}\n${stderr}`
  return `> ${message}\n${stripEnd(said, ' \t\r\n')}`
}

async function meant(line: string, conversation: Conversation): Promise<Meaning | null> {
  return line.trim() === '' ? null : understand(line, conversation)
}
