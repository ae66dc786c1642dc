import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ExecResult, StringClient } from '@string-os/client'
import type { Pagers, Topic } from '@string-os/protocol'
import { watchWaiting } from '../run/waiting.ts'
import type { BusyEnd } from '../terminal/editor/prompt-reader.ts'
import type { SpinnerPlace } from '../terminal/spinner.ts'
import { isMore, isShellAnswer, openLine, placeAfter, shellAnswer } from './shell-answer.ts'
import { draws, isRaw, takesKeys } from './shown-part.ts'

/** What ends so soon is one answer; what it prints from then on is shown as it comes. */
const FIRST_MS = 20
/** A program that goes on for so long gets what is typed. */
const SOON_MS = 1_000
/** A line that has not ended, and is not changed for so long, asks something. */
const ASKS_MS = 150
/** The same for what is typed into a program that waits for it. */
const AT_ONCE_MS = 150

/** A command that runs while a person waits for it. */
export interface RunningText {
  readonly result: Promise<ExecResult>
  /**
   * Ends it: the first time as the daemon ends commands, the second time by leaving. What runs in a shell is interrupted before.
   * Who leaves a shell ends nothing.
   */
  readonly interrupt: (how: BusyEnd) => void
  /** Whether what runs in a shell has heard of Ctrl-C meanwhile. */
  readonly isInterrupted: () => boolean
}

interface TypedText {
  readonly text: string
  readonly cwd: string
  /** Up to where what the shell printed has been shown. */
  readonly seen: string
  /** It is for a program that runs. */
  readonly isInput: boolean
  /** What programs print is shown with its styles. */
  readonly styles: boolean
  /** Those of the person: what is typed at the prompt of a shell has them. */
  readonly pagers: Pagers
  /** Where waiting is told. */
  readonly place: SpinnerPlace
  /** Gets what was printed before the result that is waited for, and tells from where on that is to be read. */
  readonly onPart: (part: ExecResult) => string
  /** What was printed between two places is not shown: it was interrupted. */
  readonly onSkip: (from: string, to: string) => void
}

export function runInTopic(client: StringClient, topic: Topic, typed: TypedText): RunningText {
  const { text, cwd, seen, isInput, styles, pagers, place, onPart, onSkip } = typed
  const requestId = randomUUID()
  const leave = new AbortController()
  // Whoever says how long, means it.
  const isScript = topic.type === 'bash' && !text.startsWith('//')
  const firstMs = isInput ? AT_ONCE_MS : isScript ? FIRST_MS : SOON_MS
  const patience = text.startsWith('//wait') ? {} : { waitMs: firstMs }
  // What runs in a shell goes on when its person leaves.
  const cancelOnLeave = topic.type !== 'bash'
  const notice = watchWaiting(client, topic.canonical, requestId, place)
  const began = performance.now()
  let isInterrupted = false
  let isTold = false
  let isBegun = false
  /** The shell has been told of Ctrl-C, and has answered. */
  let stopped: Promise<unknown> = Promise.resolve()
  // Its first answer may be on its way, and it goes on.
  const begun = async (): Promise<string | null> => {
    if (isScript && !isBegun) await Promise.race([first.catch(() => undefined), setTimeout(ASKS_MS)])
    return isBegun ? topic.canonical : null
  }
  const stop = async (): Promise<boolean> => {
    const name = isBegun ? topic.canonical : ((await ownTopic(client, requestId)) ?? (await begun()))
    if (name === null) return false
    if (isScript && !isInterrupted) {
      isInterrupted = true
      // Where there is no shell yet, there is nothing but the command to end.
      if ((await client.exec(name, '//interrupt', { seen })).ok) return true
    }
    isTold = true
    await client.sessions.cancel(name)
    return true
  }
  const manner = { styles, drawn: 'over', cancelOnLeave, signal: leave.signal } as const
  const first = client.exec(topic.canonical, text, { cwd, requestId, ...patience, seen, pagers, ...manner })
  const run = async (): Promise<ExecResult> => {
    let result = await first
    isBegun = true
    for (let known = seen; ; ) {
      // Who interrupts a flood does not wait for the rest of it.
      if (isMore(result) && (isInterrupted || text === '//interrupt')) return skipRest(result, known)
      const leftMs = isScript && !isInput ? began + SOON_MS - performance.now() : 0
      const waitMs = isMore(result) ? 1 : lookMs(result, known, leftMs)
      if (waitMs < 1) return result
      known = onPart(result)
      result = await client.exec(topic.canonical, '//wait 1', { ...manner, seen: known, waitMs })
    }
  }
  const skipRest = async ({ data: told }: ExecResult, known: string): Promise<ExecResult> => {
    await stopped
    const { data: now } = await client.exec(topic.canonical, '//info')
    const end = typeof now?.place === 'string' ? now.place : known
    const result = await client.exec(topic.canonical, '//wait 0', { ...manner, seen: end })
    onSkip(known, end)
    return told?.unread === undefined ? result : { ...result, data: { ...result.data, unread: told.unread } }
  }
  return {
    isInterrupted: () => isInterrupted && !isTold,
    result: run().finally(notice.stop),
    interrupt: (how) => {
      if (how === 'leave' && !cancelOnLeave) return leave.abort(new Error('What runs there goes on'))
      if (isTold) leave.abort(new Error('Left the command; it is being ended'))
      isTold = !isScript || isInterrupted
      const stopping = stop()
      stopped = stopping.catch(() => undefined)
      void stopping.then(
        (isDone) => isDone || leave.abort(new Error('The command was dropped before it began; it did not run')),
        () => leave.abort(new Error('Left the command; it is being ended')),
      )
    },
  }
}

/** How long it is looked on at a command that has just begun; less than 1: it has ended, asks something, or goes on for long. */
function lookMs(result: ExecResult, known: string, leftMs: number): number {
  const { isRunning, screen } = shellAnswer(result)
  if (!isShellAnswer(result) || !isRunning || screen !== null || takesKeys(result)) return 0
  const line = openLine(result, process.stdout.columns || 80)
  // What draws may read keys in a moment, and that alone is no news.
  if (draws(result)) return Math.floor(Math.min(leftMs, ASKS_MS))
  // So may what has just printed something, which is told as soon as it is still.
  const mayWait = isRaw(result) || placeAfter(result, known) !== known
  if (line === null) return Math.floor(mayWait ? Math.min(leftMs, ASKS_MS) : leftMs)
  const isAsking = line.text.endsWith(' ') || line.place === known
  return isAsking ? 0 : Math.floor(Math.min(leftMs, ASKS_MS))
}

/** Where it runs. Only our own: where another command has the topic, ours waits, and leaving is enough. */
async function ownTopic(client: StringClient, requestId: string): Promise<string | null> {
  const sessions = await client.sessions.list(client.agent)
  return sessions.find(({ running }) => running?.request_id === requestId)?.topic ?? null
}
