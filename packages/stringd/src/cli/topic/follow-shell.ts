import type { ExecResult, StringClient } from '@string-os/client'
import type { Topic } from '@string-os/protocol'
import { isShellAnswer, placeAfter } from './shell-answer.ts'
import { draws } from './shown-part.ts'

/** Waits for what a shell prints, again and again, and tells it. */
export interface ShellFollower {
  /** Ends it, and what it waits for: what is printed meanwhile is told by the next answer. */
  readonly stop: () => Promise<void>
}

/** Answered as soon as something has happened: nobody waits behind it. */
const WAIT = '//wait 30'
/** What draws, or has just printed something, may read keys in a moment, and that alone is no news. */
const SOON = { waitMs: 500 }

interface FollowedShell {
  /** Up to where it has been told. */
  readonly seen: () => string
  /** What programs print is shown with its styles. */
  readonly styles: boolean
  /** Gets each answer of the shell; false: it has ended. */
  readonly tell: (result: ExecResult) => boolean
  /** The shell is not there any more, or nobody who could tell. */
  readonly lose: () => Promise<void>
}

export function followShell(client: StringClient, topic: Topic, followed: FollowedShell): ShellFollower {
  const { seen, styles, tell, lose } = followed
  const stopped = new AbortController()
  const { signal } = stopped
  const follow = async (): Promise<void> => {
    let patience = {}
    while (!signal.aborted) {
      const known = seen()
      const manner = { ...patience, seen: known, styles, drawn: 'over', signal } as const
      const result = await client.exec(topic.canonical, WAIT, manner)
      if (!isShellAnswer(result)) return lose()
      const isNews = placeAfter(result, known) !== known
      if (!tell(result)) return
      patience = (isNews || draws(result)) && result.data?.running === true ? SOON : {}
    }
  }
  const done = follow().catch(() => (signal.aborted ? undefined : lose()))
  return {
    stop: () => {
      stopped.abort()
      return done
    },
  }
}
