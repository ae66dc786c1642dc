import type { ComponentChildren, VNode } from 'preact'
import type { Refusal } from '../data/answer.ts'
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

/** In the place of what could not be loaded. */
export function Refused({ refusal, what }: { refusal: Refusal; what: string }): VNode {
  return (
    <div class="empty refused" role="alert">
      <p>
        <bdi>{shownLine(what)}</bdi> could not be loaded. <bdi>{shownText(refusal.reason)}</bdi>
      </p>
    </div>
  )
}

export function Waiting(): VNode {
  return <div class="loading" role="status" aria-label="Loading" />
}
