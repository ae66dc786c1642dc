import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'

interface ActProps {
  readonly run: () => unknown
  readonly children: ComponentChildren
  readonly kind?: 'plain' | 'main' | 'danger'
  /** What it is read out as, where its text alone does not say it. */
  readonly label?: string
  readonly disabled?: boolean
}

/** A button that does something; while it does, it cannot be pressed again. */
export function Act({ run, children, kind = 'plain', label, disabled = false }: ActProps): VNode {
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await run()
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      class={`act ${kind}`}
      aria-disabled={isBusy || disabled}
      aria-label={label}
      disabled={disabled}
      onClick={() => void press()}
    >
      {children}
    </button>
  )
}
