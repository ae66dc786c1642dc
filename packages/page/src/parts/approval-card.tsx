import type { ApprovalView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../address/address.ts'
import { shownLine } from '../text/shown.ts'
import { Line, Plain } from '../text/visible.tsx'
import { Act } from './act.tsx'
import { Glyph } from './glyph.tsx'
import { useAnswer } from './use-answer.ts'
import { Since, When } from './when.tsx'

/** What somebody asks, exactly as it would run, and the answer to it. */
export function ApprovalCard({ approval, isFirst = false }: { approval: ApprovalView; isFirst?: boolean }): VNode {
  const { id, agent_id, turn_id, question, detail, created_at, expires_at, state } = approval
  return (
    <article
      class={`approval ${state}`}
      data-row
      data-id={id}
      tabIndex={isFirst ? 0 : -1}
      aria-label={`Approval for ${agent_id}: ${state}`}
    >
      <header>
        <Glyph shape={state === 'waiting' ? 'waiting' : state === 'allowed' ? 'done' : 'refused'} />
        <a href={addressOf({ kind: 'agent', agent: agent_id })}>
          <Line text={agent_id} chars={60} />
        </a>
        <b>
          <bdi>{shownLine(question)}</bdi>
        </b>
        <a
          class="since"
          href={
            turn_id === null
              ? addressOf({ kind: 'approvals', approval: id })
              : addressOf({ kind: 'turn', agent: agent_id, turn: turn_id })
          }
          title="The turn that asks"
        >
          {state === 'waiting' ? <Since time={created_at} /> : <When time={created_at} />}
        </a>
      </header>
      {detail === '' ? null : (
        <div class="detail">
          <Plain text={detail} label="What will run" />
        </div>
      )}
      {state === 'waiting' ? <Answering approval={approval} /> : <Decided approval={approval} />}
      {state === 'waiting' ? (
        <p class="hint">
          Without an answer it is denied at <When time={expires_at} />.
        </p>
      ) : null}
    </article>
  )
}

function Decided({ approval: { state, answered_by, answered_at, note } }: { approval: ApprovalView }): VNode {
  return (
    <p class="decided">
      <b>{state}</b>
      {answered_by === null ? null : (
        <>
          {' '}
          by <Line text={answered_by} chars={60} />
        </>
      )}
      {answered_at === null ? null : (
        <>
          {' '}
          at <When time={answered_at} />
        </>
      )}
      {note === null ? null : (
        <>
          : <Line text={note} />
        </>
      )}
    </p>
  )
}

function Answering({ approval: { id } }: { approval: ApprovalView }): VNode {
  const answer = useAnswer()
  const [note, setNote] = useState('')
  return (
    <div class="answer">
      <Act kind="main" run={() => answer(id, 'allow', note.trim())}>
        Allow
      </Act>
      <Act kind="danger" run={() => answer(id, 'deny', note.trim())}>
        Deny
      </Act>
      <input
        type="text"
        aria-label="Note to the answer"
        placeholder="note, if you like"
        value={note}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </div>
  )
}
