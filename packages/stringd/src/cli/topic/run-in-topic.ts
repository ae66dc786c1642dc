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
  /** Ends it: the first time as the daemon ends commands, the second time by leaving. Who leaves a shell ends nothing. */
  readonly interrupt: (how: BusyEnd) => void
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
  let isTold = false
  return {
    result: client
      .exec(topic.canonical, text, {
        cwd,
        requestId,
        ...patience,
        seen,
        styles,
        pagers,
        cancelOnLeave,
        signal: leave.signal,
      })
      .finally(notice.stop),
    interrupt: (how) => {
      if (how === 'leave' && !cancelOnLeave) return leave.abort(new Error('What runs there goes on'))
      if (isTold) leave.abort(new Error('Left the command; it is being ended'))
      isTold = true
      void cancelOwn(client, requestId).then(
        (isDone) => isDone || leave.abort(new Error('The command was dropped before it began; it did not run')),
        () => leave.abort(new Error('Left the command; it is being ended')),
      )
    },
  }
}

/** Only our own: where another command has the topic, ours waits, and leaving is enough. */
async function cancelOwn(client: StringClient, requestId: string): Promise<boolean> {
  const sessions = await client.sessions.list(client.agent)
  const own = sessions.find(({ running }) => running?.request_id === requestId)
  if (own === undefined) return false
  await client.sessions.cancel(own.topic)
  return true
}
