import type { StringClient } from '@string-os/client'
import type { TimelineEntry } from './entry.ts'

/** What says most, of what a program printed before it ended. */
const TELLING = /error|exception|fatal|panic|denied|refused|cannot|can't|not found|no such|failed|full\b/i
const AT_ONCE = 8
/** One that waits again has the text of its last run. */
const WITH_REASON = ['failed', 'queued']

/** Of turns that failed, what their agents themselves said about it: it is kept with each turn, not in the list. */
export async function withReasons(client: StringClient, entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
  const explained: TimelineEntry[] = []
  for (let at = 0; at < entries.length; at += AT_ONCE)
    explained.push(...(await Promise.all(entries.slice(at, at + AT_ONCE).map((entry) => withReason(client, entry)))))
  return explained
}

export async function withReason(client: StringClient, entry: TimelineEntry): Promise<TimelineEntry> {
  if (entry.kind !== 'turn' || !(entry.isFailure && WITH_REASON.includes(entry.state)) || entry.id === null)
    return entry
  const { stderr, tries = [] } = await client.turns.get(entry.id)
  const said = tellingLine(stderr) ?? (entry.state === 'queued' ? (tries.at(-1)?.reason ?? null) : null)
  return said === null ? entry : { ...entry, reason: said }
}

/** The last line that names a fault, else the last. */
export function tellingLine(stderr: string): string | null {
  const lines = stderr.split('\n').map((line) => line.trim())
  const said = lines.filter((line) => line !== '')
  return said.findLast((line) => TELLING.test(line)) ?? said.at(-1) ?? null
}
