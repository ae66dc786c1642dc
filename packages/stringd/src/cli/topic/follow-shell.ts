import type { ExecResult, StringClient } from '@string-os/client'
import type { Topic } from '@string-os/protocol'
import { isShellAnswer } from './shell-answer.ts'

/** Looks again and again at a program that goes on in a shell, and tells what it prints. */
export interface ShellFollower {
  /** Ends it, and what it waits for: what is printed meanwhile is told by the next answer. */
  readonly stop: () => Promise<void>
}

const LOOK_MS = 250

interface FollowedShell {
  /** Up to where it has been told. */
  readonly seen: () => string
  /** What programs print is shown with its styles. */
  readonly styles: boolean
  /** Gets each answer of the shell; there is none after the one that says that it is over. */
  readonly tell: (result: ExecResult) => void
  /** The shell is not there any more, or nobody who could tell. */
  readonly lose: () => Promise<void>
}

export function followShell(client: StringClient, topic: Topic, followed: FollowedShell): ShellFollower {
  const { seen, styles, tell, lose } = followed
  const stopped = new AbortController()
  const { signal } = stopped
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      const manner = { waitMs: LOOK_MS, seen: seen(), styles, drawn: 'over', signal } as const
      const result = await client.exec(topic.canonical, '//wait 1', manner)
      if (!isShellAnswer(result)) return lose()
      tell(result)
      if (result.data?.running !== true) return
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
