import type { TurnState, TurnSummary } from '@string-os/protocol'
import type { VNode } from 'preact'
import { approvals } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { useTurnText } from '../../live/use-turn-text.ts'
import { ApprovalCard } from '../../parts/approval-card.tsx'
import { When } from '../../parts/when.tsx'
import { Markdown } from '../../text/markdown.tsx'
import { Plain } from '../../text/visible.tsx'

export const isOver = (state: TurnState): boolean => state !== 'queued' && state !== 'running' && state !== 'waiting'

/** What the agent answered, or is answering. */
export function Reply({ turn }: { turn: TurnSummary }): VNode {
  const { state, result } = turn
  if (!isOver(state)) return <LiveReply turn={turn} />
  const error = result?.error ?? (state === 'done' ? null : state)
  return (
    <div class="reply">
      {result === null || result.reply === '' ? null : <Markdown text={result.reply} />}
      {result?.reply === '' && error === null ? <p class="hint">It said nothing.</p> : null}
      {error === null ? null : (
        <div class="error">
          <b>{turn.code ?? state}</b> <Plain text={error} label="Reason" />
        </div>
      )}
    </div>
  )
}

function LiveReply({ turn: { turn_id, state, next_at } }: { turn: TurnSummary }): VNode {
  const text = useTurnText(turn_id)
  return (
    <div class="reply live" aria-live="off" aria-busy={state === 'running'}>
      {text === '' ? null : <Markdown text={text} />}
      {state === 'queued' ? (
        <p class="hint">
          {next_at === null ? 'Waits for its turn.' : 'Failed; is tried again at '}
          {next_at === null ? null : <When time={next_at} />}
        </p>
      ) : null}
      {state === 'running' ? <i class="cursor" aria-hidden="true" /> : null}
      {state === 'waiting' ? <Waits turnId={turn_id} /> : null}
    </div>
  )
}

/** What it asks, answered where it stands. */
function Waits({ turnId }: { turnId: string }): VNode {
  const asked = useLoaded(
    `approvals ${turnId}`,
    () => approvals.list({ turn_id: turnId, limit: 20 }),
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
