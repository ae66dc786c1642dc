import type { VNode } from 'preact'
import { addressOf } from '../address/address.ts'
import { useApp } from '../app.ts'
import { Glyph, type Shape } from '../parts/glyph.tsx'
import { span } from '../parts/when.tsx'
import { useOverview } from './overview.ts'

/** The line that is always there: what runs, what waits, what went wrong, and whether this is still true. */
export function Top(): VNode {
  const overview = useOverview().value
  const { running = 0, failing = 0 } = overview?.agents ?? {}
  const waiting = overview?.approvals ?? null
  const isKnown = overview !== null
  return (
    <header class="top">
      <a class="mark" href="#/" aria-label="String, all agents">
        string
      </a>
      <ul class="glance" aria-label="At a glance">
        <Count shape="running" count={running} what="running" href="#/" isKnown={isKnown} />
        <Count
          shape="waiting"
          count={waiting ?? 0}
          what="waiting for you"
          href={addressOf({ kind: 'approvals', approval: null })}
          isKnown={waiting !== null}
        />
        <Count shape="failed" count={failing} what="went wrong" href="#/" isKnown={isKnown} />
      </ul>
      <ConnectionState />
    </header>
  )
}

interface CountProps {
  readonly shape: Shape
  readonly count: number
  readonly what: string
  readonly href: string
  readonly isKnown: boolean
}

function Count({ shape, count, what, href, isKnown }: CountProps): VNode {
  return (
    <li>
      <a
        href={href}
        class={count === 0 ? 'none' : shape}
        aria-label={`${isKnown ? count : 'Not known how many'} ${what}`}
      >
        <Glyph shape={shape} />
        <b class="num">{isKnown ? count : '–'}</b> <span>{what}</span>
      </a>
    </li>
  )
}

function ConnectionState(): VNode {
  const { live } = useApp()
  const connection = live.connection.value
  const words = { connecting: 'connecting', live: 'live', lost: 'reconnecting' }[connection.kind]
  return (
    <p class={`connection ${connection.kind}`} role="status">
      <i aria-hidden="true" />
      {words}
    </p>
  )
}

/** Says since when nothing was heard, for what is shown may no longer be so. */
export function LostBanner(): VNode | null {
  const { live, clock } = useApp()
  const connection = live.connection.value
  if (connection.kind !== 'lost') return null
  return (
    <div class="banner" role="alert">
      <p>
        <b>The daemon does not answer.</b> What you see is what was there at{' '}
        {new Date(connection.since).toTimeString().slice(0, 8)}. <code>string start</code> starts it.
      </p>
      <p aria-hidden="true" class="num">
        gone for {span(Math.max(0, clock.now.value - connection.since))}
      </p>
      <button type="button" class="act plain" onClick={() => live.retry()}>
        Try now
      </button>
    </div>
  )
}
