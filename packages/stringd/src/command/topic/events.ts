import {
  count,
  countUpTo,
  type Data,
  type Failure,
  fail,
  LIMITS,
  listNames,
  meantBy,
  ok,
  quoted,
  type Result,
  truncate,
  visibleLine,
} from '@string-os/protocol'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'

export const events = defineCommand({
  name: 'events',
  summary: 'List what arrived for you',
  params: {},
  flags: { all: { type: 'boolean', summary: 'Acknowledged ones too' } },
  body: 'none',
  details: [
    `The ${LIMITS.listedEvents} newest, with the beginning of each text. Programs send events to your webhook.`,
  ],
  examples: ['/events', '/events --all'],
  run: ({ all }, context) => list(all, context),
})

async function list(all: boolean, { inbox, agent }: CommandContext): Promise<Result> {
  const { pending, acked } = await inbox.counts(agent.id)
  const newest = await inbox.newest(agent.id, all, LIMITS.listedEvents)
  const data = { pending, acked, events: newest.map(preview) }
  const rows = newest.map(({ id, receivedAt, source, text, status }) => {
    const mark = status === 'acked' ? ' (acked)' : ''
    return `- ${id} ${receivedAt} ${visibleLine(source)}${mark}: ${quoted(text, LIMITS.eventPreviewChars)}`
  })
  const total = `${countUpTo(pending, LIMITS.countedEvents)} pending, ${countUpTo(acked, LIMITS.countedEvents)} acked`
  if (rows.length === 0) return ok('Events', total, data)
  return ok(
    'Events',
    [total, '', ...rows, '', '/events.read ID shows one, /events.ack ID… is for those dealt with'].join('\n'),
    data,
  )
}

export const waitForEvent = defineCommand({
  name: 'events.wait',
  summary: 'Wait until something arrives',
  params: { seconds: 'optional' },
  flags: {},
  body: 'none',
  details: [
    `Answers like /events as soon as an event is pending, or after SECONDS (${LIMITS.eventWaitMs / 1000} when none are given).`,
    'Over MCP it waits less than a minute, however many are given: send it again.',
  ],
  examples: ['/events.wait', '/events.wait 45'],
  async run({ seconds }, context) {
    const { inbox, agent, signal, deadline } = context
    if (seconds !== undefined && !/^\d{1,6}$/.test(seconds))
      return fail('INVALID_PARAMS', `Not a number of seconds: ${seconds}`, 'Usage: /events.wait [SECONDS]')
    const askedMs = seconds === undefined ? LIMITS.eventWaitMs : Number(seconds) * 1000
    const waitMs = Math.min(askedMs, LIMITS.eventWaitMaxMs, Math.max(0, deadline - performance.now()))
    await inbox.pending(agent.id, waitMs, signal)
    return signal.aborted
      ? fail('CANCELLED', 'The wait was stopped', '/events lists what arrived')
      : list(false, context)
  },
})

export const readEvent = defineCommand({
  name: 'events.read',
  summary: 'Show one event whole',
  params: { id: 'required' },
  flags: {},
  body: 'none',
  details: ['Reading does not acknowledge it.'],
  examples: ['/events.read evt_01k9…'],
  async run({ id }, { inbox, agent }) {
    const found = await meant(inbox, agent.id, id)
    if (!found.ok) return found
    const { event } = found
    const { receivedAt, source, status, text } = event
    return ok(`Event ${event.id}`, `${receivedAt} from ${visibleLine(source)} (${status})\n\n${text}`, {
      ...fields(event),
      text,
    })
  },
})

export const ackEvents = defineCommand({
  name: 'events.ack',
  summary: 'Mark events as dealt with',
  params: { id: 'many' },
  flags: {},
  body: 'none',
  details: ['Acknowledged events are kept for 30 days. When one of the ids is unknown, none is acknowledged.'],
  examples: ['/events.ack evt_01k9…'],
  async run({ id: ids }, { inbox, agent }) {
    const whole: string[] = []
    for (const id of ids) {
      const found = await meant(inbox, agent.id, id)
      if (!found.ok) return found
      whole.push(found.event.id)
    }
    const acked = await inbox.ack(agent.id, whole)
    return ok(`Acked: ${acked.join(', ')}`, null, { acked })
  },
})

export const retryEvent = defineCommand({
  name: 'events.retry',
  summary: 'Wake the agent for an event once more',
  params: { id: 'required' },
  flags: {},
  body: 'none',
  details: [
    'For agents whose profile says `wake: events`: an event that failed three times, or was cancelled, or came before that was said.',
  ],
  examples: ['/events.retry evt_01k9…'],
  async run({ id }, { inbox, agent, wakeFor }) {
    const found = await meant(inbox, agent.id, id)
    if (!found.ok) return found
    const { event } = found
    if (event.status === 'acked')
      return fail('CONFLICT', `Event ${event.id} is dealt with`, '/events lists those that are not')
    return wakeFor(agent, event)
  },
})

export const clearEvents = defineCommand({
  name: 'events.clear',
  summary: 'Remove acknowledged events',
  params: {},
  flags: { all: { type: 'boolean', summary: 'Pending ones too: they are lost' } },
  body: 'none',
  details: [],
  examples: ['/events.clear', '/events.clear --all'],
  async run({ all }, { inbox, agent }) {
    const cleared = await inbox.clear(agent.id, all)
    return ok(`Cleared: ${count(cleared, 'event')}`, null, { cleared })
  },
})

type Event = Awaited<ReturnType<CommandContext['inbox']['newest']>>[number]

function preview(event: Event): Data {
  return { ...fields(event), preview: truncate(event.text, LIMITS.eventPreviewChars) }
}

function fields({ id, receivedAt, source, status }: Event): Data {
  return { id, received_at: receivedAt, source, status }
}

type Meant = { readonly ok: true; readonly event: Event } | Failure

/** The event with this id, or the one of the latest that is meant by a part of it. */
async function meant(inbox: CommandContext['inbox'], agentId: string, written: string): Promise<Meant> {
  const event = await inbox.read(agentId, written)
  if (event !== null) return { ok: true, event }
  const latest = await inbox.newest(agentId, true, LIMITS.listedMax)
  const named = meantBy(written, latest, ({ id }) => id)
  if (named.kind === 'none') return unknown(written)
  if (named.kind === 'one') return { ok: true, event: named.found }
  if (named.kind === 'too-short') return fail('INVALID_PARAMS', named.reason, '/events --all lists your events')
  const names = listNames(named.found.map(({ id }) => id))
  return fail('INVALID_PARAMS', `${quoted(written)} may be more than one event: ${names}`, 'Write more of the ID')
}

function unknown(id: string): Failure {
  return fail('NOT_FOUND', `Event not found: ${quoted(id)}`, '/events --all lists your events')
}
