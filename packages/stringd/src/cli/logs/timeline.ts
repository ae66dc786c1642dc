import type { StringClient } from '@string-os/client'
import { LIMITS, type LogEntry, type LogLevel, type TurnSummary } from '@string-os/protocol'
import { allTurns } from '../turns/all-turns.ts'
import { MAY_HAVE_FAILED } from '../turns/turn-reason.ts'
import { deliveryEntry, eventEntry, logEntry, type TimelineEntry, turnEntries } from './entry.ts'

export interface TimelineAsked {
  readonly agent: string | undefined
  readonly since: Date | undefined
  readonly failed: boolean
  readonly limit: number
}

/** Lines of the log, newest first; over HTTP, or from the file where nobody answers. */
export type AskLog = (query: {
  limit: number
  since?: string
  before?: string
  level: LogLevel
}) => Promise<readonly LogEntry[]>

/** What happened, the newest last. */
export async function timeline(client: StringClient, asked: TimelineAsked): Promise<TimelineEntry[]> {
  const lists = await Promise.all([
    turnsOf(client, asked),
    deliveriesOf(client, asked),
    eventsOf(client, asked),
    logOf((query) => client.log(query), asked),
  ])
  return newest(lists.flat(), asked)
}

export function newest(entries: readonly TimelineEntry[], asked: TimelineAsked): TimelineEntry[] {
  return entries
    .filter((entry) => isAsked(entry, asked))
    .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
    .slice(-asked.limit)
}

/** What names no agent is about all of them, and a turn that is not over about now. */
export function isAsked({ agent, time, isFailure, isOpen = false }: TimelineEntry, asked: TimelineAsked): boolean {
  if (asked.failed && !isFailure) return false
  if (asked.since !== undefined && !isOpen && time < asked.since.toISOString()) return false
  return asked.agent === undefined || agent === null || agent === asked.agent
}

async function turnsOf(client: StringClient, { agent, since, failed, limit }: TimelineAsked): Promise<TimelineEntry[]> {
  const found = new Map<string, TurnSummary>()
  // One that was asked long ago may have been run again just now.
  const lists = [{ again: true }, ...(failed ? MAY_HAVE_FAILED : [undefined]).map((state) => ({ state }))]
  for (const list of lists)
    for await (const turn of allTurns(client, { agent, since, ...list, limit })) found.set(turn.turn_id, turn)
  return [...found.values()].flatMap(turnEntries)
}

async function deliveriesOf(client: StringClient, { agent }: TimelineAsked): Promise<TimelineEntry[]> {
  return (await client.deliveries(agent)).map(deliveryEntry)
}

async function eventsOf(client: StringClient, { agent, failed, limit }: TimelineAsked): Promise<TimelineEntry[]> {
  const found: TimelineEntry[] = []
  for (let before: string | undefined; !failed && found.length < limit; ) {
    const size = Math.min(limit - found.length, LIMITS.listedTurnsMax)
    const events = await client.inbox.list({ agent, limit: size, before })
    found.push(...events.map(eventEntry))
    before = events.at(-1)?.id
    if (events.length < size) break
  }
  return found
}

/** Beyond so many lines that nobody asked about, it ends. */
const MOST_LISTS = 30

export async function logOf(ask: AskLog, asked: TimelineAsked): Promise<TimelineEntry[]> {
  const found: TimelineEntry[] = []
  const since = asked.since?.toISOString()
  let before: string | undefined
  for (let list = 0; list < MOST_LISTS && found.length < asked.limit; list += 1) {
    const lines = await ask({
      limit: LIMITS.listedLogMax,
      level: asked.failed ? 'warn' : 'info',
      ...(since === undefined ? {} : { since }),
      ...(before === undefined ? {} : { before }),
    })
    for (const line of lines) {
      const entry = logEntry(line)
      if (entry !== null && isAsked(entry, asked)) found.push(entry)
    }
    before = lines.at(-1)?.time
    if (lines.length === 0) break
  }
  return found
}
