import type { TurnSummary } from '@string-os/protocol'
import { Component, type VNode } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { turns } from '../../data/calls.ts'
import { When } from '../../parts/when.tsx'
import { Line, Plain } from '../../text/visible.tsx'
import { isOver, Reply } from './reply.tsx'
import { Steps } from './steps.tsx'
import { TurnFoot } from './turn-foot.tsx'

/** A message and what came of it; drawn again only when the turn changed. */
export class Turn extends Component<{ turn: TurnSummary; isOpen?: boolean }> {
  override shouldComponentUpdate({ turn }: { turn: TurnSummary }): boolean {
    return JSON.stringify(turn) !== JSON.stringify(this.props.turn)
  }

  override render(): VNode {
    const { turn, isOpen = false } = this.props
    return <TurnBody turn={turn} isOpen={isOpen} />
  }
}

function TurnBody({ turn, isOpen }: { turn: TurnSummary; isOpen: boolean }): VNode {
  const { turn_id, agent_id, source, from, created_at, state } = turn
  const [isUnfolded, setUnfolded] = useState(isOpen)
  return (
    <article class={`turn ${state}`} aria-label={`Turn of ${agent_id}, ${state}`}>
      <header>
        <span class="who">
          <Line text={source === 'person' ? from || 'you' : source} chars={60} />
        </span>
        <a
          data-row
          data-id={turn_id}
          class="permalink"
          href={addressOf({ kind: 'turn', agent: agent_id, turn: turn_id })}
        >
          <span class="unseen">Address of this turn, </span>
          <When time={created_at} />
        </a>
      </header>
      <Message turn={turn} />
      <Reply turn={turn} />
      <TurnFoot turn={turn} isUnfolded={isUnfolded} onUnfold={() => setUnfolded(!isUnfolded)} />
      {isUnfolded ? <Steps turnId={turn_id} key={isOver(state) ? 'over' : 'live'} /> : null}
    </article>
  )
}

/** A list has the beginning of a message; the rest comes on demand. */
function Message({ turn: { turn_id, message } }: { turn: TurnSummary }): VNode {
  const [whole, setWhole] = useState<string | null>(null)
  const isCut = whole === null && message.endsWith('…')
  const load = async (): Promise<void> => {
    const answer = await turns.get(turn_id)
    if (answer.ok) setWhole(answer.value.message)
  }
  return (
    <div class="said">
      <Plain text={whole ?? message} label="Message" />
      {isCut ? (
        <button type="button" class="more" onClick={() => void load()}>
          Show the whole message
        </button>
      ) : null}
    </div>
  )
}
