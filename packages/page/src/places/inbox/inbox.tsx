import type { InboxItem } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { events } from '../../data/calls.ts'
import { useRows } from '../../data/use-rows.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Glyph, turnShape } from '../../parts/glyph.tsx'
import { OfAgent } from '../../parts/of-agent.tsx'
import { When } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'
import { EventCard } from './event-card.tsx'

const STATES = ['all', 'pending', 'acked'] as const

/** What arrived, for all agents, and which turn each became. */
export function Inbox({ event }: { event: string | null }): VNode {
  const [state, setState] = useState<(typeof STATES)[number]>('all')
  const [agent, setAgent] = useState('')
  const rows = useRows(`events ${state} ${agent}`, {
    list: (span) => events.list({ ...span, ...(state === 'all' ? {} : { state }), ...(agent === '' ? {} : { agent }) }),
    idOf: ({ id }) => id,
    isChoice: true,
    concerns: ({ kind }) => kind === 'event' || kind === 'turn' || kind === 'agent',
  })
  return (
    <section class="place inbox">
      {event === null ? null : <EventCard id={event} />}
      <header class="bar">
        <h1>Inbox</h1>
        <Filters name="Which events" words={STATES} chosen={state} onChoose={setState} />
        <OfAgent agent={agent} onAgent={setAgent} />
      </header>
      {rows.value === null ? (
        rows.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={rows.refusal} what="The inbox" retry={rows.reload} />
        )
      ) : null}
      {rows.value?.length === 0 && !rows.isBefore && state !== 'all' ? <Empty>No event is {state}.</Empty> : null}
      {rows.value?.length === 0 && !rows.isBefore && state === 'all' ? (
        <Empty type={'string webhook show --agent ada\ncurl -d "the build is green" URL'}>
          Nothing arrived. An address to which programs post, and a first event:
        </Empty>
      ) : null}
      <ul class="rows event-rows" aria-busy={rows.isBefore}>
        {rows.value?.map((each) => (
          <EventLine key={each.id} event={each} isOpen={each.id === event} />
        ))}
      </ul>
      {rows.hasMore ? (
        <button type="button" class="more" onClick={rows.more}>
          Earlier events
        </button>
      ) : null}
    </section>
  )
}

function EventLine({ event, isOpen }: { event: InboxItem; isOpen: boolean }): VNode {
  const { id, agent_id, source, state, text, received_at, turn } = event
  const shape = turn === null ? (state === 'pending' ? 'queued' : 'done') : turnShape(turn.state)
  return (
    <li>
      <a
        data-row
        data-id={id}
        href={addressOf({ kind: 'inbox', event: id })}
        aria-current={isOpen ? 'true' : undefined}
      >
        <Glyph shape={shape} />
        <b class="name">
          <Line text={agent_id} chars={60} />
        </b>
        <span class="from">
          <Line text={source} chars={60} />
        </span>
        <span class="doing">
          <Line text={text} chars={200} />
        </span>
        <span class="counts">
          {turn === null ? state : `turn ${turn.state}${turn.code === null ? '' : ` ${turn.code}`}`}
        </span>
        <span class="since">
          <When time={received_at} />
        </span>
      </a>
    </li>
  )
}
