import type { ComponentChildren, VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A window over the page; Escape closes it, and the focus goes back where it was. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the next key is pressed: what is typed after it belongs here.
  useLayoutEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    // One who opens it wants to type, not to close it again.
    element.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="act plain" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {children}
    </dialog>
  )
}
