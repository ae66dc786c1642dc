import type { ComponentChildren, VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { shownLine } from '../text/shown.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A window over the page; Escape closes it, and the browser puts the focus back where it was. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null)
  const isGone = useRef(false)
  const id = useId()
  // Before the next key is pressed: what is typed after it belongs here.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // One who opens it wants to type, not to close it again.
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      isGone.current = true
      dialog?.close()
    }
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={() => isGone.current || onClose()}>
      <header>
        <h2 id={id}>
          <bdi>{shownLine(title)}</bdi>
        </h2>
        <button type="button" class="act plain" onClick={() => element.current?.close()}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {children}
    </dialog>
  )
}
