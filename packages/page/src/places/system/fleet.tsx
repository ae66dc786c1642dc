import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { NodeRows, useNodes } from './nodes.tsx'

/** The daemons that share the store: which live, and what each has to do. */
export function Fleet(): VNode {
  const { value, refusal, reload, hasMore, more } = useNodes()
  return (
    <section class="place system">
      <header class="bar">
        <h1>
          <a href={addressOf({ kind: 'system' })}>System</a> <span class="sep">/</span> Fleet
        </h1>
        <span class="hint">by name</span>
      </header>
      {value === null ? (
        refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={refusal} what="The fleet" retry={reload} />
        )
      ) : (
        <NodeRows nodes={value} />
      )}
      {value?.length === 1 ? (
        <Empty type="STRING_STORE=postgres://host/string string start">
          This daemon is alone. Others that are given the same PostgreSQL stand here with it:
        </Empty>
      ) : null}
      {hasMore ? (
        <button type="button" class="more" onClick={more}>
          More nodes
        </button>
      ) : null}
    </section>
  )
}
