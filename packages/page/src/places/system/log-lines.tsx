import type { LogEntry } from '@string-os/protocol'
import type { VNode } from 'preact'
import { When } from '../../parts/when.tsx'
import { shownLine } from '../../text/shown.ts'

const SHOWN_CHARS = 400

/** Lines of the daemon's log, as they come. */
export function LogLines({ lines }: { lines: readonly LogEntry[] }): VNode {
  return (
    <ul class="log">
      {lines.map(({ time, level, message, fields }, at) => (
        // Lines of a log have no names, and two may be alike.
        <li key={at} class={level === 'error' ? 'failed' : level === 'warn' ? 'waiting' : ''}>
          <When time={time} /> <span class="level">{level}</span>{' '}
          <bdi>
            {shownLine(message)} <span class="hint">{shownLine(shown(fields))}</span>
          </bdi>
        </li>
      ))}
    </ul>
  )
}

function shown(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
    .slice(0, SHOWN_CHARS)
}
