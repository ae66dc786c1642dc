import { setTimeout as sleep } from 'node:timers/promises'
import type { StringClient } from '@string-os/client'
import { LIMITS, type TurnSummary } from '@string-os/protocol'
import { answered, isPassing } from '../daemon/passing.ts'
import { deliveryEntry, eventEntry, logEntry, type TimelineEntry, turnEntries } from './entry.ts'
import { withReason } from './explain.ts'
import { isAsked, type TimelineAsked } from './timeline.ts'

interface Following {
  readonly client: StringClient
  readonly asked: TimelineAsked
  /** What was shown already. */
  readonly shown: readonly TimelineEntry[]
  readonly known: readonly TurnSummary[]
  /** Since when it has to be told, as it may not have been shown. */
  readonly began: string
  readonly signal: AbortSignal
  readonly print: (entry: TimelineEntry) => void
  /** Called when the daemon is away, and when it is back. */
  readonly onAway: (isAway: boolean) => void
}

/** Shows what happens, until it is told to end; a daemon that stops is waited for, whoever starts it again. */
export async function followTimeline(following: Following): Promise<void> {
  await Promise.all([followTurns(following), followRest(following)])
}

async function followTurns({ client, asked, shown, known, began, signal, print }: Following): Promise<void> {
  const seen = new Set(shown.map(({ key }) => key))
  for await (const turn of client.turns.watch({ agent: asked.agent, signal, known })) {
    for (const entry of turnEntries(turn)) {
      // What is over is told once; what went wrong before all this was asked about is not told now.
      const isNews = entry.isOpen || (!seen.has(entry.key) && entry.time >= began)
      if (entry.isOpen !== true) seen.add(entry.key)
      if (isNews && isAsked(entry, asked)) print(await answered(() => withReason(client, entry), entry))
    }
    forgetOldest(seen)
  }
}

/** Messages and the log are asked for again and again: there is no stream of them. */
async function followRest({ client, asked, shown, began, signal, print, onAway }: Following): Promise<void> {
  const seen = new Set(shown.map(({ key }) => key))
  let since = began
  let isFirst = true
  while (!signal.aborted) {
    try {
      const [lines, deliveries, events] = await Promise.all([
        client.log({ since, limit: LIMITS.listedLogMax, level: 'info' }),
        client.deliveries(asked.agent),
        client.inbox.list({ agent: asked.agent }),
      ])
      onAway(false)
      since = lines[0]?.time ?? since
      const entries = [...lines.map(logEntry), ...deliveries.map(deliveryEntry), ...events.map(eventEntry)]
      for (const entry of entries.reverse()) {
        if (entry === null || seen.has(entry.key)) continue
        seen.add(entry.key)
        // What was sent before may change its state from now on.
        const isOld = isFirst && entry.time < began
        if (!isOld && isAsked(entry, asked)) print(entry)
      }
      isFirst = false
      forgetOldest(seen)
    } catch (error) {
      if (!isPassing(error)) throw error
      onAway(true)
    }
    await sleep(LIMITS.timelineLookMs, null, { signal }).catch(() => null)
  }
}

/** More than can be listed again. */
const REMEMBERED = 4 * LIMITS.listedLogMax

function forgetOldest(seen: Set<string>): void {
  for (const key of seen) {
    if (seen.size <= REMEMBERED) return
    seen.delete(key)
  }
}
