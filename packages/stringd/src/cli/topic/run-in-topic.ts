import { randomUUID } from 'node:crypto'
import type { ExecResult, StringClient } from '@string-os/client'
import type { Pagers, Topic } from '@string-os/protocol'
import { watchWaiting } from '../run/waiting.ts'
import type { BusyEnd } from '../terminal/editor/prompt-reader.ts'
import type { SpinnerPlace } from '../terminal/spinner.ts'

/** A shell that has not ended its command shows what there is: the rest comes as it is printed. */
const SOON_MS = 1_000
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
}

export function runInTopic(client: StringClient, topic: Topic, typed: TypedText): RunningText {
  const { text, cwd, seen, isInput, styles, pagers, place } = typed
  const requestId = randomUUID()
  const leave = new AbortController()
  // Whoever says how long, means it.
  const patience = text.startsWith('//wait') ? {} : { waitMs: isInput ? AT_ONCE_MS : SOON_MS }
  // What runs in a shell goes on when its person leaves.
  const cancelOnLeave = topic.type !== 'bash'
  const notice = watchWaiting(client, topic.canonical, requestId, place)
  const isScript = topic.type === 'bash' && !text.startsWith('//')
  let isInterrupted = false
  let isTold = false
  const stop = async (): Promise<boolean> => {
    const name = await ownTopic(client, requestId)
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
  return {
    isInterrupted: () => isInterrupted && !isTold,
    result: client
      .exec(topic.canonical, text, {
        cwd,
        requestId,
        ...patience,
        seen,
        styles,
        drawn: 'over',
        pagers,
        cancelOnLeave,
        signal: leave.signal,
      })
      .finally(notice.stop),
    interrupt: (how) => {
      if (how === 'leave' && !cancelOnLeave) return leave.abort(new Error('What runs there goes on'))
      if (isTold) leave.abort(new Error('Left the command; it is being ended'))
      isTold = !isScript || isInterrupted
      void stop().then(
        (isDone) => isDone || leave.abort(new Error('The command was dropped before it began; it did not run')),
        () => leave.abort(new Error('Left the command; it is being ended')),
      )
    },
  }
}

/** Where it runs. Only our own: where another command has the topic, ours waits, and leaving is enough. */
async function ownTopic(client: StringClient, requestId: string): Promise<string | null> {
  const sessions = await client.sessions.list(client.agent)
  return sessions.find(({ running }) => running?.request_id === requestId)?.topic ?? null
}
