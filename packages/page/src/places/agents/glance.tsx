import { LIMITS } from '@string-os/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { useOverview } from '../../frame/overview.ts'
import { Glyph } from '../../parts/glyph.tsx'
import { Since, When } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'

/** The most that a column shows, as the daemon names them; the list below has the rest. */
const SHOWN = LIMITS.overviewAgents

/** Three questions, one glance. */
export function Glance(): VNode {
  const overview = useOverview().value
  const isKnown = overview !== null
  const { running = [], waiting = [], failing = [], agents, approvals = null } = overview ?? {}
  return (
    <div class="three">
      <Column title="Running now" empty="Nothing runs." count={agents?.running ?? 0} isKnown={isKnown}>
        {running.map(({ id, turn }) => (
          <Entry
            key={id}
            href={
              turn === null
                ? addressOf({ kind: 'agent', agent: id })
                : addressOf({ kind: 'turn', agent: id, turn: turn.turn_id })
            }
            shape="running"
            agent={id}
            text={turn?.message ?? ''}
          >
            {turn === null ? null : <Since time={turn.since} />}
          </Entry>
        ))}
      </Column>
      <Column title="Waits for you" empty="Nobody waits for you." count={approvals ?? 0} isKnown={approvals !== null}>
        {waiting.map(({ id, agent_id, question, created_at }) => (
          <Entry
            key={id}
            href={addressOf({ kind: 'approvals', approval: id })}
            shape="waiting"
            agent={agent_id}
            text={question}
          >
            <Since time={created_at} />
          </Entry>
        ))}
      </Column>
      <Column title="Went wrong" empty="Nothing went wrong." count={agents?.failing ?? 0} isKnown={isKnown}>
        {failing.map(({ id, last_turn }) => (
          <Entry
            key={id}
            href={
              last_turn === null
                ? addressOf({ kind: 'agent', agent: id })
                : addressOf({ kind: 'turn', agent: id, turn: last_turn.turn_id })
            }
            shape="failed"
            agent={id}
            text={last_turn?.code ?? last_turn?.state ?? 'failed'}
          >
            {last_turn?.ended_at == null ? null : <When time={last_turn.ended_at} />}
          </Entry>
        ))}
      </Column>
    </div>
  )
}

interface ColumnProps {
  readonly title: string
  readonly empty: string
  readonly count: number
  readonly isKnown: boolean
  readonly children: ComponentChildren
}

function Column({ title, empty, count, isKnown, children }: ColumnProps): VNode {
  return (
    <section>
      <h2>
        {title} <span class="num">{count === 0 ? '' : count}</span>
      </h2>
      {count === 0 ? <p class="hint">{isKnown ? empty : ' '}</p> : <ul class="entries">{children}</ul>}
      {count > SHOWN ? <p class="hint">and {count - SHOWN} more</p> : null}
    </section>
  )
}

interface EntryProps {
  readonly href: string
  readonly shape: 'running' | 'waiting' | 'failed'
  readonly agent: string
  readonly text: string
  readonly children: ComponentChildren
}

function Entry({ href, shape, agent, text, children }: EntryProps): VNode {
  return (
    <li>
      <a data-row href={href}>
        <Glyph shape={shape} />
        <b>
          <Line text={agent} chars={60} />
        </b>
        <Line text={text} chars={160} />
        <span class="since">{children}</span>
      </a>
    </li>
  )
}
