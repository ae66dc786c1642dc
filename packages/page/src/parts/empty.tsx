import type { ComponentChildren, VNode } from 'preact'
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
        <a href="#/">All agents</a>
      )}
    </div>
  )
}

export function Waiting(): VNode {
  return <div class="loading" role="status" aria-label="Loading" />
}
