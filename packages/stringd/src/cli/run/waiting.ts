import type { SessionView, StringClient } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { type SpinnerPlace, startSpinner } from '../terminal/spinner.ts'

const LOOK_MS = 1_000

/** Tells a person at a terminal what a command waits for, since when, and how to stop it. Elsewhere nothing is said. */
export function watchWaiting(
  client: StringClient,
  topic: string,
  requestId: string,
  place?: SpinnerPlace,
): { stop: () => void } {
  if (place === undefined && !process.stderr.isTTY) return { stop: () => undefined }
  let label = ''
  const spinner = startSpinner(() => label, place)
  const timer = setInterval(() => {
    // A look that fails says nothing; the command itself will.
    void client.sessions.list(client.agent).then(
      (sessions) => {
        label = explain(sessions, topic, requestId)
      },
      () => undefined,
    )
  }, LOOK_MS)
  return {
    stop: () => {
      clearInterval(timer)
      spinner.stop()
    },
  }
}

function explain(sessions: readonly SessionView[], topic: string, requestId: string): string {
  const own = sessions.find(({ running }) => running?.request_id === requestId)
  if (own !== undefined) return 'running (Ctrl-C stops it)'
  const running = sessions.find((session) => session.topic === topic)?.running
  if (running == null) return ''
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(running.since)) / 1000))
  return `waiting in ${topic} for ${quoted(running.command, 60)}, which runs for ${seconds} s ${inOwnName(`(string stop ${topic} ends it)`)}`
}
