import type { TurnView } from '@string-os/protocol'
import type { Follower } from './live-turn.ts'

/** What a stream has told until now; `position` of one that waits, else 0. Without the first `from` characters of its text. */
export function replay(view: TurnView, position: number, from: number, follower: Follower): void {
  const { turn_id, state, partial, steps, approvals, result } = view
  if (position > 0) follower({ type: 'queued', turn_id, position })
  if (state === 'queued') return
  follower({ type: 'start', turn_id })
  const text = partial.slice(from)
  if (text !== '') follower({ type: 'partial', text })
  for (const { replies: _, ...step } of steps) follower({ type: 'step', ...step })
  for (const approval of approvals) follower({ type: 'approval', ...approval })
  if (result !== null) follower({ type: 'result', state, ...result })
}
