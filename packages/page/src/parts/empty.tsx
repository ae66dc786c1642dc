import type { ComponentChildren, VNode } from 'preact'
import { addressOf } from '../address/address.ts'
import { useApp } from '../app.ts'
import { isPassing, type Refusal } from '../data/answer.ts'
import { shownLine, shownText } from '../text/shown.ts'

/** Says that there is nothing, and what to type so that there is something. */
export function Empty({ children, type }: { children: ComponentChildren; type?: string }): VNode {
  return (
    <div class="empty">
      <p>{children}</p>
      {type === undefined ? null : (
        <pre>
          <code>{shownText(type)}</code>
        </pre>
      )}
    </div>
  )
}

interface RefusedProps {
  readonly refusal: Refusal
  readonly what: string
  readonly retry: () => void
}

/** In the place of what could not be loaded, with what to do about it. */
export function Refused({ refusal, what, retry }: RefusedProps): VNode {
  return (
    <div class="empty refused" role="alert">
      <p>
        <bdi>{shownLine(what)}</bdi> could not be loaded. <bdi>{shownText(refusal.reason)}</bdi>
      </p>
      {isPassing(refusal) ? (
        <button type="button" class="act plain" onClick={retry}>
          Try again
        </button>
      ) : (
        <Up />
      )}
    </div>
  )
}

/** To where what could not be loaded would be listed. */
function Up(): VNode {
  const { here } = useApp()
  const place = here.value
  if (place.kind === 'inbox') return <a href={addressOf({ kind: 'inbox', event: null })}>All events</a>
  if (place.kind === 'approvals') return <a href={addressOf({ kind: 'approvals', approval: null })}>All approvals</a>
  if (place.kind === 'turn') {
    return (
      <a href={addressOf({ kind: 'agent', agent: place.agent })}>
        All of <bdi>{shownLine(place.agent)}</bdi>
      </a>
    )
  }
  return <a href="#/">All agents</a>
}

export function Waiting(): VNode {
  return <div class="loading" role="status" aria-label="Loading" />
}
