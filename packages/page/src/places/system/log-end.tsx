import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Act } from '../../parts/act.tsx'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { Filters } from '../../parts/filters.tsx'
import { LogLines } from './log-lines.tsx'

const LEVELS = ['info', 'warn', 'error'] as const
const SHOWN = 100

/** The end of the daemon's log, newest first. */
export function LogEnd(): VNode {
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('info')
  const log = useLoaded(
    `log ${level}`,
    () => system.log(level, SHOWN),
    ({ kind }) => kind === 'turn' || kind === 'agent',
  )
  return (
    <>
      <header class="bar">
        <h2>Log</h2>
        <Filters name="How urgent" words={LEVELS} chosen={level} onChoose={setLevel} />
        <Act run={log.reload}>look again</Act>
      </header>
      {log.value === null ? (
        log.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={log.refusal} what="The log" retry={log.reload} />
        )
      ) : null}
      {log.value?.length === 0 ? <Empty>Nothing of that kind was logged.</Empty> : null}
      <LogLines lines={log.value ?? []} />
    </>
  )
}
