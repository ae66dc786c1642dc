import type { StringClient } from '@string-os/client'
import { saidReason } from '../turns/turn-reason.ts'
import type { TimelineEntry } from './entry.ts'

const AT_ONCE = 8

/** Of turns that failed, what their agents themselves said about it. */
export async function withReasons(client: StringClient, entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
  const explained: TimelineEntry[] = []
  for (let at = 0; at < entries.length; at += AT_ONCE)
    explained.push(...(await Promise.all(entries.slice(at, at + AT_ONCE).map((entry) => withReason(client, entry)))))
  return explained
}

export async function withReason(client: StringClient, entry: TimelineEntry): Promise<TimelineEntry> {
  const { kind, id, state, isFailure, isTold } = entry
  if (kind !== 'turn' || !isFailure || isTold || id === null) return entry
  const said = await saidReason(client, { id, state })
  return said === null ? entry : { ...entry, reason: said }
}
