import type { AgentRow } from '@string-os/protocol'
import { Component, type VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { useApp } from '../../app.ts'
import { agents } from '../../data/calls.ts'
import { Act } from '../../parts/act.tsx'
import { Glyph, type Shape } from '../../parts/glyph.tsx'
import { Since, When } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'

interface AgentLineProps {
  readonly agent: AgentRow
  /** Where it lives; null: on the node that is asked. */
  readonly node: string | null
}

/** One agent of many; drawn again only when something about it changed. */
export class AgentLine extends Component<AgentLineProps> {
  override shouldComponentUpdate({ agent, node }: AgentLineProps): boolean {
    return node !== this.props.node || JSON.stringify(agent) !== JSON.stringify(this.props.agent)
  }

  override render(): VNode {
    const { agent, node } = this.props
    const { id, pending_events, waiting, paused } = agent
    return (
      <li>
        <a data-row data-id={id} href={addressOf({ kind: 'agent', agent: id })}>
          <Glyph shape={shapeOf(agent)} />
          <b class="name">
            <Line text={id} />
          </b>
          <span class="doing">
            <Doing agent={agent} />
          </span>
          <span class="counts">
            {node === null ? null : (
              <span>
                on <Line text={node} chars={40} />
              </span>
            )}
            {pending_events === 0 ? null : <span>{countOf(pending_events, 'event')}</span>}
            {waiting === 0 ? null : <span>{countOf(waiting, 'turn')} waiting</span>}
          </span>
          <span class="since">
            <Clock agent={agent} />
          </span>
        </a>
        <Wake id={id} paused={paused} />
      </li>
    )
  }
}

const isIdle = ({ state, paused, has_profile }: AgentRow): boolean => state === 'idle' && !paused && has_profile

/** How long it has run, or when it fell silent where its words do not say that. */
function Clock({ agent }: { agent: AgentRow }): VNode | null {
  const { turn, silent_since } = agent
  if (turn !== null) return <Since time={turn.since} />
  return silent_since === null || isIdle(agent) ? null : <When time={silent_since} />
}

const countOf = (count: number, noun: string): string =>
  `${count >= 100 ? '100+' : count} ${noun}${count === 1 ? '' : 's'}`

export function shapeOf({ state, paused }: AgentRow): Shape {
  if (state === 'waiting') return 'waiting'
  if (state === 'running') return 'running'
  if (state === 'failing') return 'failed'
  return paused ? 'paused' : 'idle'
}

/** What it does, in words. */
export function Doing({ agent }: { agent: AgentRow }): VNode {
  const { state, paused, has_profile, turn, last_turn, approvals, silent_since } = agent
  if (state === 'waiting') return <em class="waiting">waits for {approvals === 1 ? 'an approval' : 'approvals'}</em>
  if (turn !== null) {
    return (
      <>
        <em class="running">{turn.state}</em> <Line text={turn.message} />
      </>
    )
  }
  if (state === 'failing') return <em class="failed">failed{last_turn?.code == null ? '' : `: ${last_turn.code}`}</em>
  if (!has_profile) return <em>no profile: it takes no messages</em>
  if (paused) return <em>paused: events do not wake it</em>
  if (silent_since === null) return <em>idle, nothing said yet</em>
  return (
    <em>
      idle, silent since <When time={silent_since} />
    </em>
  )
}

function Wake({ id, paused }: { id: string; paused: boolean }): VNode {
  const { notices } = useApp()
  const run = async (): Promise<void> => {
    const answer = await agents.stand(id, paused ? 'resume' : 'pause')
    notices.tell(answer, paused ? `${id} is woken by events again` : `${id} is paused: events wait`)
  }
  return (
    <Act run={run} label={`${paused ? 'Resume' : 'Pause'} ${id}`}>
      {paused ? 'resume' : 'pause'}
    </Act>
  )
}
