import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Act } from '../../parts/act.tsx'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { When } from '../../parts/when.tsx'
import { shownLine } from '../../text/shown.ts'

const LEVELS = ['info', 'warn', 'error'] as const

/** The end of the daemon's log, newest first. */
export function LogEnd(): VNode {
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('info')
  const log = useLoaded(
    `log ${level}`,
    () => system.log(level),
    ({ kind }) => kind === 'turn' || kind === 'agent',
  )
  return (
    <>
      <header class="bar">
        <h2>Log</h2>
        <fieldset class="filters" aria-label="How urgent">
          {LEVELS.map((each) => (
            <button type="button" key={each} aria-pressed={level === each} onClick={() => setLevel(each)}>
              {each}
            </button>
          ))}
        </fieldset>
        <Act run={log.reload}>look again</Act>
      </header>
      {log.value === null ? (
        log.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={log.refusal} what="The log" />
        )
      ) : null}
      {log.value?.length === 0 ? <Empty>Nothing of that kind was logged.</Empty> : null}
      <ul class="log">
        {log.value?.map(({ time, level: urgency, message, fields }, at) => (
          // Lines of a log have no names, and two may be alike.
          <li key={at} class={urgency === 'error' ? 'failed' : urgency === 'warn' ? 'waiting' : ''}>
            <When time={time} /> <span>{urgency}</span>{' '}
            <bdi>
              {shownLine(message)} <span class="hint">{shownLine(shown(fields))}</span>
            </bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

function shown(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
    .slice(0, 400)
}
