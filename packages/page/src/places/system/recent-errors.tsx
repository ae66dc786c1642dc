import type { VNode } from 'preact'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { LogLines } from './log-lines.tsx'

/** The others are in the log. */
const SHOWN = 5

/** What went wrong in the daemon itself; what went wrong with an agent is told with the agent. */
export function RecentErrors(): VNode {
  const errors = useLoaded(
    'errors',
    () => system.log('error', SHOWN),
    ({ kind }) => kind === 'turn' || kind === 'agent',
  )
  return (
    <>
      <header class="bar">
        <h2>Recent errors</h2>
      </header>
      {errors.value === null ? (
        errors.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={errors.refusal} what="What went wrong" retry={errors.reload} />
        )
      ) : null}
      {errors.value?.length === 0 ? <Empty>The daemon has logged no error.</Empty> : null}
      <LogLines lines={errors.value?.slice(0, SHOWN) ?? []} />
    </>
  )
}
