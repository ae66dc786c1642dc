import type { ApprovalView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { approvals } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { useRows } from '../../data/use-rows.ts'
import { focusedRow } from '../../frame/rows.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { ApprovalCard } from '../../parts/approval-card.tsx'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { Glyph } from '../../parts/glyph.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { When } from '../../parts/when.tsx'
import { Line } from '../../text/visible.tsx'

/** What waits for a person, over all agents, and what was decided. */
export function Approvals({ approval }: { approval: string | null }): VNode {
  const answer = useAnswer()
  const waiting = useRows('waiting', {
    list: approvals.waiting,
    idOf: ({ id }) => id,
    concerns: ({ kind }) => kind === 'approval',
  })
  const decide = (given: 'allow' | 'deny'): void => {
    const id = focusedRow() ?? waiting.value?.[0]?.id
    if (id !== undefined) void answer(id, given, '')
  }
  useKeys([
    {
      keys: 'y',
      about: 'Allow the approval, the first unless another has the focus',
      run: () => decide('allow'),
    },
    { keys: 'x', about: 'Deny it', run: () => decide('deny') },
  ])
  return (
    <section class="place approvals">
      {approval === null ? null : <One id={approval} />}
      <header class="bar">
        <h1>Waits for you</h1>
        <span class="hint">oldest first</span>
      </header>
      {waiting.value === null ? (
        waiting.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={waiting.refusal} what="What waits" retry={waiting.reload} />
        )
      ) : null}
      {waiting.value?.length === 0 ? (
        <Empty type={'string approvals --follow'}>
          Nobody waits for you. When an agent asks for permission, it stands here, and in a terminal:
        </Empty>
      ) : null}
      {waiting.value
        ?.filter(({ id }) => id !== approval)
        .map((each) => (
          <ApprovalCard key={each.id} approval={each} />
        ))}
      {waiting.hasMore ? (
        <button type="button" class="more" onClick={waiting.more}>
          Later ones
        </button>
      ) : null}
      <Decided />
    </section>
  )
}

/** The one that the address names, whatever became of it. */
function One({ id }: { id: string }): VNode {
  const one = useLoaded(
    `approval ${id}`,
    () => approvals.get(id),
    (change) => change.kind === 'approval' && change.id === id,
  )
  if (one.value !== null) return <ApprovalCard approval={one.value} />
  return one.refusal === null ? <Waiting /> : <Refused refusal={one.refusal} what="The approval" retry={one.reload} />
}

function Decided(): VNode | null {
  const rows = useRows('decided', {
    list: (span) => approvals.list(span),
    idOf: ({ id }) => id,
    concerns: ({ kind }) => kind === 'approval',
  })
  const decided = rows.value?.filter(({ state }) => state !== 'waiting') ?? []
  if (rows.value === null && rows.refusal !== null) return null
  return (
    <>
      <header class="bar">
        <h2>Decided</h2>
      </header>
      {rows.value !== null && decided.length === 0 ? <Empty>Nothing was decided yet.</Empty> : null}
      <ul class="rows approval-rows">
        {decided.map((each) => (
          <DecidedLine key={each.id} approval={each} />
        ))}
      </ul>
      {rows.hasMore ? (
        <button type="button" class="more" onClick={rows.more}>
          Earlier ones
        </button>
      ) : null}
    </>
  )
}

function DecidedLine({ approval }: { approval: ApprovalView }): VNode {
  const { id, agent_id, question, detail, state, answered_by, answered_at, created_at, note } = approval
  return (
    <li>
      <a data-row href={addressOf({ kind: 'approvals', approval: id })}>
        <Glyph shape={state === 'allowed' ? 'done' : 'refused'} />
        <b class="name">
          <Line text={agent_id} chars={60} />
        </b>
        <span class="doing">
          <em>{state}</em> <Line text={detail === '' ? question : detail.replace(/\s+/g, ' ')} />
        </span>
        <span class="counts">
          <Line text={[answered_by, note].filter((part) => part !== null).join(': ')} chars={80} />
        </span>
        <span class="since">
          <When time={answered_at ?? created_at} />
        </span>
      </a>
    </li>
  )
}
