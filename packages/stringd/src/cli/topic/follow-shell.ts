import type { ExecResult, StringClient } from '@string-os/client'
import type { Topic } from '@string-os/protocol'

/** Looks again and again at a program that goes on in a shell, and tells what it prints. */
export interface ShellFollower {
  /** Ends it; what was being looked at is still told. */
  readonly stop: () => Promise<void>
}

/** Whatever is typed next waits for the look before it. */
const LOOK_MS = 250

/** `tell` gets each answer; there is none after the one that says that it is over. */
export function followShell(client: StringClient, topic: Topic, tell: (result: ExecResult) => void): ShellFollower {
  let isStopped = false
  const follow = async (): Promise<void> => {
    while (!isStopped) {
      const result = await client.exec(topic.canonical, '//wait 1', { waitMs: LOOK_MS, cancelOnLeave: true })
      tell(result)
      if (result.data?.running !== true) return
    }
  }
  // What cannot be looked at says so itself when something is typed.
  const done = follow().catch(() => undefined)
  return {
    stop: () => {
      isStopped = true
      return done
    },
  }
}
