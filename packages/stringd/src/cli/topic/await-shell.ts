import type { StringClient } from '@string-os/client'
import type { Topic } from '@string-os/protocol'
import type { ShellFollower } from './follow-shell.ts'

/** Whoever else uses the topic may begin its shell: tells once, when there is one. */
export function awaitShell(
  client: StringClient,
  { canonical }: Topic,
  { isThere, tell }: { readonly isThere: () => Promise<boolean>; readonly tell: () => void },
): ShellFollower {
  const stopped = new AbortController()
  const { signal } = stopped
  const wait = async (): Promise<void> => {
    for await (const news of client.watch({ signal })) {
      if (news.type === 'ping' || news.type === 'lost') continue
      if (news.type === 'change' && (news.kind !== 'topic' || news.id !== canonical)) continue
      if (!(await isThere())) continue
      if (!signal.aborted) tell()
      return
    }
  }
  // A daemon that is older than this program does not tell; Enter looks, too.
  const done = wait().catch(() => undefined)
  return {
    stop: () => {
      stopped.abort()
      return done
    },
  }
}
