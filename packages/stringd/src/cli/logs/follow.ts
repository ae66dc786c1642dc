import { setTimeout as sleep } from 'node:timers/promises'
import type { StringClient } from '@string-os/client'
import { LIMITS, type TurnSummary } from '@string-os/protocol'
import { DAEMON_DIED } from '../../read-log.ts'
import { answered, isPassing } from '../daemon/passing.ts'
import type { DaemonAbsence } from './daemon-absence.ts'
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
  readonly absence: DaemonAbsence
  /** Called when the daemon is away, and when it is back. */
  readonly onAway: (isAway: boolean) => void
}

/** Shows what happens, until it is told to end; a daemon that stops is waited for, whoever starts it again. */
export async function followTimeline(following: Following): Promise<void> {
  const ordered = new InOrder(following.print)
  await Promise.all([followTurns(following, ordered), followRest(following, ordered)])
  ordered.tell()
}

/** Turns are heard of at once, the rest when it is looked for: what was heard is told in the order in which it happened. */
class InOrder {
  readonly #print: (entry: TimelineEntry) => void
  #heard: TimelineEntry[] = []

  constructor(print: (entry: TimelineEntry) => void) {
    this.#print = print
  }

  add(entry: TimelineEntry): void {
    this.#heard.push(entry)
  }

  /** Nothing that happened until then is still to come; without a time, nothing at all. */
  tell(until?: string): void {
    const isDue = ({ time }: TimelineEntry): boolean => until === undefined || time <= until
    const due = this.#heard
      .filter(isDue)
      .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
    this.#heard = this.#heard.filter((entry) => !isDue(entry))
    for (const entry of due) this.#print(entry)
  }
}

async function followTurns({ client, asked, shown, known, began, signal }: Following, ordered: InOrder): Promise<void> {
  const seen = new Set(shown.map(({ key }) => key))
  for await (const turn of client.turns.watch({ agent: asked.agent, signal, known })) {
    for (const entry of turnEntries(turn)) {
      // What is over is told once; what went wrong before all this was asked about is not told now.
      const isNews = entry.isOpen || (!seen.has(entry.key) && entry.time >= began)
      if (entry.isOpen !== true) seen.add(entry.key)
      if (isNews && isAsked(entry, asked)) ordered.add(await answered(() => withReason(client, entry), entry))
    }
    forgetOldest(seen)
  }
}

/** Messages and the log are asked for again and again: there is no stream of them. */
async function followRest(
  { client, asked, shown, began, signal, absence, onAway }: Following,
  ordered: InOrder,
): Promise<void> {
  const seen = new Set(shown.map(({ key }) => key))
  let since = began
  let isFirst = true
  while (!signal.aborted) {
    const until = new Date().toISOString()
    try {
      const [lines, deliveries, events] = await Promise.all([
        client.log({ since, limit: LIMITS.listedLogMax, level: 'info' }),
        client.deliveries(asked.agent),
        client.inbox.list({ agent: asked.agent }),
      ])
      onAway(false)
      since = lines[0]?.time ?? since
      const news = lines.filter(({ message, fields }) => message !== DAEMON_DIED || !absence.isTold(fields.lastPid))
      const entries = [...news.map(logEntry), ...deliveries.map(deliveryEntry), ...events.map(eventEntry)]
      for (const entry of entries.reverse()) {
        if (entry === null || seen.has(entry.key)) continue
        seen.add(entry.key)
        // What was sent before may change its state from now on.
        const isOld = isFirst && entry.time < began
        if (!isOld && isAsked(entry, asked)) ordered.add(entry)
      }
      ordered.tell(until)
      isFirst = false
      forgetOldest(seen)
    } catch (error) {
      if (!isPassing(error)) throw error
      // No daemon is there that could tell it.
      const died = absence.look(until)
      if (died !== null && isAsked(died, asked)) ordered.add(died)
      ordered.tell()
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
