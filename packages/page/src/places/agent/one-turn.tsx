import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { turns } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { Line } from '../../text/visible.tsx'
import { Turn } from './turn.tsx'

/** One turn with everything about it. */
export function OneTurn({ agent, turnId }: { agent: string; turnId: string }): VNode {
  const turn = useLoaded(
    `one turn ${turnId}`,
    () => turns.get(turnId),
    ({ kind, id }) => kind === 'turn' && id === turnId,
  )
  if (turn.value === null)
    return turn.refusal === null ? <Waiting /> : <Refused refusal={turn.refusal} what="The turn" retry={turn.reload} />
  const { session } = turn.value
  return (
    <div class="conversation">
      <div class="turns">
        <p class="hint">
          One turn of the session{' '}
          <a href={addressOf({ kind: 'session', agent, session })}>
            <Line text={session} chars={80} />
          </a>
        </p>
        <Turn turn={turn.value} isOpen />
      </div>
    </div>
  )
}
