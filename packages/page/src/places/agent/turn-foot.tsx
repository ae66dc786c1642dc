import { type TurnSummary, type TurnUsage, tellingCode } from '@string-os/protocol'
import type { VNode } from 'preact'
import { goTo } from '../../address/here.ts'
import { useApp } from '../../app.ts'
import { turns } from '../../data/calls.ts'
import { Act } from '../../parts/act.tsx'
import { Glyph, turnShape } from '../../parts/glyph.tsx'
import { duration, Since } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'
import { isOver } from './reply.tsx'

interface FootProps {
  readonly turn: TurnSummary
  readonly isUnfolded: boolean
  readonly onUnfold: () => void
}

/** How it stands with a turn, and what can be done about it. */
export function TurnFoot({ turn, isUnfolded, onUnfold }: FootProps): VNode {
  const { notices } = useApp()
  const { turn_id, agent_id, state, attempt, started_at, result, usage, event_id } = turn
  const code = tellingCode(turn)
  const stop = async () => notices.tell(await turns.cancel(turn_id), 'The turn is stopped')
  const retry = async (): Promise<void> => {
    const answer = await turns.retry(turn_id)
    notices.tell(answer, 'It runs again')
  }
  return (
    <footer>
      <Glyph shape={turnShape(state)} />
      <span>
        {state}
        {code === null || !isOver(state) ? '' : ` ${code}`}
        {attempt > 1 ? `, attempt ${attempt}` : ''}
      </span>
      {isOver(state) || started_at === null ? null : <Since time={started_at} />}
      {result === null ? null : <span class="num">{duration(result.duration_ms)}</span>}
      {usage === null ? null : <Usage usage={usage} />}
      {event_id === null ? null : (
        <button type="button" class="quiet" onClick={() => goTo({ kind: 'inbox', event: event_id })}>
          its event
        </button>
      )}
      <button type="button" class="quiet" aria-expanded={isUnfolded} onClick={onUnfold}>
        {isUnfolded ? 'fewer details' : 'details'}
      </button>
      {isOver(state) ? (
        state === 'done' ? null : (
          <Act run={retry} label={`Retry the turn of ${agent_id}`}>
            retry
          </Act>
        )
      ) : (
        <Act kind="danger" run={stop} label={`Stop the turn of ${agent_id}`}>
          stop
        </Act>
      )}
    </footer>
  )
}

/** What it has cost, as far as it says so. */
function cost(usd: number | undefined): string {
  return usd === undefined ? '' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`
}

function Usage({ usage }: { usage: TurnUsage }): VNode | null {
  const { input_tokens, output_tokens, total_tokens, cost_usd } = usage
  const tokens = total_tokens ?? (input_tokens ?? 0) + (output_tokens ?? 0)
  if (tokens === 0 && cost_usd === undefined) return null
  return (
    <span class="num">
      <Line
        text={[tokens === 0 ? '' : `${tokens.toLocaleString('en')} tokens`, cost(cost_usd)]
          .filter((part) => part !== '')
          .join(', ')}
        chars={60}
      />
    </span>
  )
}
