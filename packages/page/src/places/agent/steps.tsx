import type { TurnStepDetail, TurnView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { turns } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { ApprovalCard } from '../../parts/approval-card.tsx'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { Glyph } from '../../parts/glyph.tsx'
import { duration, When } from '../../parts/when.tsx'
import { Line, Plain } from '../../text/visible.tsx'

/** What happened in a turn: its steps with their blocks, approvals, and what it said beside its answer. */
export function Steps({ turnId }: { turnId: string }): VNode {
  const turn = useLoaded(
    `turn ${turnId}`,
    () => turns.get(turnId),
    ({ kind, id }) => (kind === 'turn' && id === turnId) || kind === 'approval',
  )
  if (turn.value === null)
    return turn.refusal === null ? <Waiting /> : <Refused refusal={turn.refusal} what="The turn" retry={turn.reload} />
  return (
    <div class="steps">
      <Facts turn={turn.value} />
      <Tries turn={turn.value} />
      {turn.value.steps.map((step) => (
        <Step key={step.index} step={step} />
      ))}
      {turn.value.approvals
        ?.filter(({ state }) => state !== 'waiting')
        .map((approval) => (
          <ApprovalCard key={approval.id} approval={approval} />
        ))}
      <Partials turn={turn.value} />
      {turn.value.stderr === '' ? null : (
        <details>
          <summary>Standard error</summary>
          <Plain text={turn.value.stderr} label="Standard error" />
        </details>
      )}
    </div>
  )
}

function Facts({ turn }: { turn: TurnView }): VNode {
  const { turn_id, session, created_at, started_at, ended_at, result } = turn
  return (
    <dl class="facts">
      <div>
        <dt>turn</dt>
        <dd>{turn_id}</dd>
      </div>
      <div>
        <dt>session</dt>
        <dd>
          <Line text={session} chars={80} />
        </dd>
      </div>
      <div>
        <dt>asked</dt>
        <dd>
          <When time={created_at} />
        </dd>
      </div>
      {started_at === null ? null : (
        <div>
          <dt>began</dt>
          <dd>
            <When time={started_at} />
          </dd>
        </div>
      )}
      {ended_at === null ? null : (
        <div>
          <dt>ended</dt>
          <dd>
            <When time={ended_at} />
          </dd>
        </div>
      )}
      {result?.session_id == null ? null : (
        <div>
          <dt>its own name for the session</dt>
          <dd>
            <Line text={result.session_id} chars={80} />
          </dd>
        </div>
      )}
      {result === null || result.exit_code === 0 ? null : (
        <div>
          <dt>exit code</dt>
          <dd>{result.exit_code}</dd>
        </div>
      )}
    </dl>
  )
}

/** Its runs that failed before this one. */
function Tries({ turn: { tries = [] } }: { turn: TurnView }): VNode | null {
  if (tries.length === 0) return null
  return (
    <ol class="tries" aria-label="Runs that failed">
      {tries.map(({ ended_at, code, reason }) => (
        <li key={ended_at}>
          <Glyph shape="failed" label="failed" />
          <When time={ended_at} /> {code === null ? null : <b class="failed">{code}</b>} <Line text={reason} />
        </li>
      ))}
    </ol>
  )
}

function Step({ step: { index, text, blocks, replies = '', duration_ms } }: { step: TurnStepDetail }): VNode {
  return (
    <details class="step" open>
      <summary>
        Step {index}, <span class="num">{duration(duration_ms)}</span>
      </summary>
      <ul>
        {blocks.map(({ channel, topic, cmd, ok, code }, at) => (
          // Blocks of a step are never moved.
          <li key={at}>
            <Glyph shape={ok ? 'done' : 'failed'} label={ok ? 'worked' : 'failed'} />
            <span class="where">
              <Line text={`${channel}:${topic}`} chars={60} />
            </span>
            <code>
              <Line text={cmd} />
            </code>
            {code === null ? null : <b class="failed">{code}</b>}
          </li>
        ))}
      </ul>
      <details>
        <summary>What it wrote</summary>
        <Plain text={text} label={`Text of step ${index}`} />
      </details>
      {replies === '' ? null : (
        <details>
          <summary>What came of it</summary>
          <Plain text={replies} label={`Replies of step ${index}`} />
        </details>
      )}
    </details>
  )
}

function Partials({ turn: { partial, result } }: { turn: TurnView }): VNode | null {
  if (result === null || partial.trim() === '' || partial.trim() === result.reply.trim()) return null
  return (
    <details>
      <summary>What it said on the way</summary>
      <Plain text={partial} label="What it said on the way" />
    </details>
  )
}
