import { DELIVERY_STATES, type DeliveryView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { deliveries } from '../../data/calls.ts'
import { useRows } from '../../data/use-rows.ts'
import { Act } from '../../parts/act.tsx'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { Filters } from '../../parts/filters.tsx'
import { Glyph, type Shape } from '../../parts/glyph.tsx'
import { OfAgent } from '../../parts/of-agent.tsx'
import { When } from '../../parts/when.tsx'
import { shownLine } from '../../text/shown.ts'
import { Line, Plain } from '../../text/visible.tsx'

const STATES = ['all', ...DELIVERY_STATES] as const

/** Messages to other channels: how often each was tried, and why it is not there. */
export function Outbox(): VNode {
  const [state, setState] = useState<(typeof STATES)[number]>('all')
  const [agent, setAgent] = useState('')
  const rows = useRows(`deliveries ${state} ${agent}`, {
    list: (span) =>
      deliveries.list({ ...span, ...(state === 'all' ? {} : { state }), ...(agent === '' ? {} : { agent }) }),
    idOf: ({ id }) => id,
    isChoice: true,
    concerns: ({ kind }) => kind === 'delivery' || kind === 'agent',
  })
  return (
    <section class="place outbox">
      <header class="bar">
        <h1>Outbox</h1>
        <Filters name="Which messages" words={STATES} chosen={state} onChoose={setState} />
        <OfAgent agent={agent} onAgent={setAgent} />
      </header>
      {rows.value === null ? (
        rows.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={rows.refusal} what="The outbox" retry={rows.reload} />
        )
      ) : null}
      {rows.value?.length === 0 && !rows.isBefore && state !== 'all' ? <Empty>No message is {state}.</Empty> : null}
      {rows.value?.length === 0 && !rows.isBefore && state === 'all' ? (
        <Empty type={'<𝒞=mail:someone@example.com>\nThe report is ready.\n</𝒞>'}>
          Nothing was sent. A channel in .string/channels.yaml of its home, and an agent that writes a block:
        </Empty>
      ) : null}
      <ul class="rows delivery-rows" aria-busy={rows.isBefore}>
        {rows.value?.map((each) => (
          <DeliveryLine key={each.id} delivery={each} onDone={rows.reload} />
        ))}
      </ul>
      {rows.hasMore ? (
        <button type="button" class="more" onClick={rows.more}>
          Earlier messages
        </button>
      ) : null}
    </section>
  )
}

const SHAPES: Readonly<Record<DeliveryView['state'], Shape>> = {
  waiting: 'queued',
  trying: 'running',
  sent: 'done',
  failed: 'failed',
}

function DeliveryLine({ delivery, onDone }: { delivery: DeliveryView; onDone: () => void }): VNode {
  const { notices } = useApp()
  const { id, agent_id, channel, target, state, tries, created_at, next_at, reason } = delivery
  const [text, setText] = useState<string | null>(null)
  const retry = async (): Promise<void> => {
    notices.tell(await deliveries.retry(id), 'It is sent again')
    onDone()
  }
  const read = async (): Promise<void> => {
    if (text !== null) return setText(null)
    const answer = await deliveries.get(id)
    if (answer.ok) setText(answer.value.text)
    else notices.show({ kind: 'failed', text: answer.reason })
  }
  return (
    <li class="wrapped">
      <button
        type="button"
        class="cells"
        data-row
        data-id={id}
        aria-expanded={text !== null}
        onClick={() => void read()}
      >
        <Glyph shape={SHAPES[state]} />
        <b class="name">
          <Line text={agent_id} chars={60} />
        </b>
        <span class="from">
          <Line text={`${channel} ${target}`} chars={100} />
        </span>
        <span class="doing">
          <em class={state === 'failed' ? 'failed' : ''}>{state}</em> <Line text={reason ?? ''} />
        </span>
        <span class="counts">{tries === 1 ? '1 try' : `${tries} tries`}</span>
        <span class="since">
          {next_at === null ? (
            <When time={created_at} />
          ) : (
            <>
              next <When time={next_at} />
            </>
          )}
        </span>
      </button>
      {state === 'failed' || state === 'waiting' ? (
        <Act run={retry} label={`Send again to ${shownLine(target)}`}>
          send again
        </Act>
      ) : null}
      {text === null ? null : (
        <div class="detail">
          <Plain text={text} label="Text of the message" />
        </div>
      )}
    </li>
  )
}
