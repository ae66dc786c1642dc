import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'

interface NameProps {
  readonly title: string
  readonly name: string
  readonly hint: string
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

/** Asks for one name. */
export function NameDialog({ title, name, hint, onName, onClose }: NameProps): VNode {
  const [text, setText] = useState('')
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '') return
          onClose()
          onName(text.trim())
        }}
      >
        <label>
          <span>{name}</span>
          <input
            type="text"
            value={text}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <small>{hint}</small>
        </label>
        <button type="submit" class="act main" disabled={text.trim() === ''}>
          Open
        </button>
      </form>
    </Dialog>
  )
}
