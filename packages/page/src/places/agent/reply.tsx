import { type TurnState, type TurnSummary, tellingCode } from '@string-os/protocol'
import type { VNode } from 'preact'
import { approvals } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { useTurnText } from '../../live/use-turn-text.ts'
import { ApprovalCard } from '../../parts/approval-card.tsx'
import { When } from '../../parts/when.tsx'
import { Markdown } from '../../text/markdown.tsx'
import { Plain } from '../../text/visible.tsx'

export const isOver = (state: TurnState): boolean => state !== 'queued' && state !== 'running' && state !== 'waiting'

/** What the agent answered, or is answering. The one becomes the other without anything moving. */
export function Reply({ turn }: { turn: TurnSummary }): VNode {
  const { turn_id, state, result } = turn
  const reply = result?.reply ?? ''
  // An agent that streams says everything on the way, and its result may be empty.
  const text = useTurnText(turn_id, isOver(state) ? (reply === '' ? 'whole' : 'none') : 'live')
  const shown = reply === '' ? text : reply
  return (
    <div class={isOver(state) ? 'reply' : 'reply live'} aria-busy={!isOver(state)}>
      {shown === '' ? null : <Markdown text={shown} />}
      <Standing turn={turn} isSilent={shown === ''} />
    </div>
  )
}

/** What is to be said beside its text: that it waits, what it asks, why it failed. */
function Standing({ turn, isSilent }: { turn: TurnSummary; isSilent: boolean }): VNode | null {
  const { turn_id, state, result, next_at } = turn
  if (state === 'running') return isSilent ? <i class="cursor" aria-hidden="true" /> : null
  if (state === 'waiting') return <Waits turnId={turn_id} />
  if (state === 'queued') return <Queued nextAt={next_at} />
  const error = result?.error ?? (state === 'done' ? null : state)
  if (error === null) return isSilent ? <p class="hint">It said nothing.</p> : null
  return (
    <div class="error">
      <b>{tellingCode(turn) ?? state}</b> <Plain text={error} label="Reason" />
    </div>
  )
}

function Queued({ nextAt }: { nextAt: string | null }): VNode {
  if (nextAt === null) return <p class="hint">Waits for its turn.</p>
  return (
    <p class="hint">
      Failed; is tried again at <When time={nextAt} />
    </p>
  )
}

/** What it asks, answered where it stands. */
function Waits({ turnId }: { turnId: string }): VNode {
  const asked = useLoaded(
    `approvals ${turnId}`,
    () => approvals.list({ turn: turnId, limit: 20 }),
    ({ kind }) => kind === 'approval',
  )
  const waiting = asked.value?.filter(({ state }) => state === 'waiting') ?? []
  return (
    <>
      {waiting.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </>
  )
}
