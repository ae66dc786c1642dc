import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { useApp } from '../../app.ts'
import { events } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Act } from '../../parts/act.tsx'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { When } from '../../parts/when.tsx'
import { Line, Plain } from '../../text/visible.tsx'

/** One event whole, and what can be done with it. */
export function EventCard({ id }: { id: string }): VNode {
  const { notices } = useApp()
  const one = useLoaded(
    `event ${id}`,
    () => events.get(id),
    (change) => (change.kind === 'event' && change.id === id) || change.kind === 'turn',
  )
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), [id, one.value === null])
  if (one.value === null)
    return one.refusal === null ? <Waiting /> : <Refused refusal={one.refusal} what="The event" retry={one.reload} />
  const { agent_id, source, state, received_at, acked_at, text, bytes, turn } = one.value
  const ack = async (): Promise<void> => {
    notices.tell(await events.ack(id), 'Acknowledged')
    one.reload()
  }
  const retry = async (): Promise<void> => {
    notices.tell(await events.retry(id), 'It wakes its agent once more')
    one.reload()
  }
  return (
    <article ref={card} class="card" aria-label={`Event for ${agent_id}`}>
      <header>
        <h2>
          <a href={addressOf({ kind: 'agent', agent: agent_id })}>
            <Line text={agent_id} chars={60} />
          </a>
        </h2>
        <span>
          from <Line text={source} chars={80} />
        </span>
        <When time={received_at} />
        <a class="quiet close" href={addressOf({ kind: 'inbox', event: null })}>
          close
        </a>
      </header>
      <div class="detail">
        <Plain text={text} label="Text of the event" />
      </div>
      <footer>
        {state === 'pending' ? <Act run={ack}>Acknowledge</Act> : null}
        {state === 'pending' ? <Act run={retry}>Retry</Act> : null}
        <span>
          {state === 'acked' && acked_at !== null ? (
            <>
              acknowledged at <When time={acked_at} />
            </>
          ) : (
            state
          )}
        </span>
        <span class="num">{bytes.toLocaleString('en')} bytes</span>
        {turn === null ? (
          <span>no turn yet</span>
        ) : (
          <a href={addressOf({ kind: 'turn', agent: agent_id, turn: turn.turn_id })}>
            turn {turn.state}
            {turn.code === null ? '' : ` ${turn.code}`}
            {turn.attempt > 1 ? `, attempt ${turn.attempt}` : ''}
          </a>
        )}
        <span>{id}</span>
      </footer>
    </article>
  )
}
