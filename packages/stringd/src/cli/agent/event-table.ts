import type { EventsData } from '@string-os/client'
import {
  countUpTo,
  DEFAULT_AGENT,
  type EventWait,
  ID_CHARS,
  LIMITS,
  shortId,
  visibleLine,
  waitWord,
} from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim } from '../terminal/color.ts'
import type { StreamLook } from '../terminal/look.ts'
import { prose } from '../terminal/prose.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { clockTime } from '../turns/time.ts'

type ListedEvent = EventsData['events'][number] & { readonly waits: EventWait | null }

const COLUMNS: readonly (Column & { readonly cell: (event: ListedEvent, now: number) => string })[] = [
  { title: 'ID', most: ID_CHARS, cell: ({ id }) => shortId(id) },
  { title: 'TIME', most: 11, usual: 8, drop: 1, cell: ({ received_at }, now) => clockTime(received_at, now) },
  { title: 'SOURCE', most: 20, drop: 2, cell: ({ source }) => visibleLine(source) },
  { title: 'STATE', most: 9, drop: 3, cell: ({ status, waits }) => (waits === null ? status : waitWord(waits)) },
  { title: 'TEXT', most: 200, cell: ({ preview }) => visibleLine(preview.replace(/\s+/g, ' ').trim()) },
]

function none(agent: string): string {
  return `string webhook show ${agent} tells where programs post, string agent list what waits for others`
}

/** The inbox of an agent for whoever reads it in a shell: the newest last, and what can be typed there. */
export function eventTable(
  { pending, acked, events }: EventsData,
  { agent, waits }: { readonly agent: string; readonly waits: ReadonlyMap<string, EventWait> },
  look: StreamLook,
): string {
  const { color, width } = look
  const total = `${countUpTo(pending, LIMITS.countedEvents)} pending, ${countUpTo(acked, LIMITS.countedEvents)} acked`
  const more = `string events ${agent} --all shows those, string agent list what waits for others`
  if (events.length === 0) return inOwnName(`${total} of ${agent}; ${acked === 0 ? none(agent) : more}`)
  const now = Date.now()
  const rows = [...events]
    .reverse()
    .map((event) => COLUMNS.map(({ cell }) => cell({ ...event, waits: waits.get(event.id) ?? null }, now)))
  const { head, line } = layTable(COLUMNS, rows, { width })
  const whose = agent === DEFAULT_AGENT ? '' : ` --agent ${agent}`
  const hint = `string events read ID${whose} shows one, string events ack ID${whose} is for one that is dealt with`
  const lines = [dim(head, color), ...rows.map((row) => line(row).trimEnd())]
  // A program reads one line an event.
  if (width !== null) lines.push(dim(prose(`${total}; ${inOwnName(hint)}`, process.stdout), color))
  return lines.join('\n')
}
