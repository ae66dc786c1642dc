import type { SessionShown } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { topics } from '../../data/calls.ts'
import { Line } from '../../text/visible.tsx'
import { ActionForm } from './action-form.tsx'
import { type Action, actionsOf } from './exec-data.ts'
import type { Shortcut } from './use-shortcuts.ts'

interface OfferedProps {
  readonly agent: string
  readonly topic: string
  readonly view: SessionShown
  readonly shortcuts: readonly Shortcut[]
  readonly onRun: (cmd: string) => Promise<void>
}

/** What the open document offers: its shortcuts and menus as links, its actions as buttons with a form. */
export function Offered({ agent, topic, view, shortcuts, onRun }: OfferedProps): VNode | null {
  const { meta } = view
  const [action, setAction] = useState<Action | null>(null)
  const names = meta?.actions ?? []
  const choose = async (name: string): Promise<void> => {
    const answer = await topics.exec(agent, topic, `/act.${name} --help`)
    const found = answer.ok ? actionsOf(answer.value.data)[0] : undefined
    setAction(found ?? { name, usage: `/act.${name}`, fields: [], runsCommand: false, error: null })
  }
  if (shortcuts.length === 0 && names.length === 0) return null
  return (
    <div class="offered">
      {shortcuts.length === 0 ? null : (
        <nav aria-label="Shortcuts">
          {shortcuts.map(({ id, label }) => (
            <button type="button" class="inner" key={id} onClick={() => void onRun(`/open @${id}`)}>
              <Line text={label === '' ? id : label} chars={60} />
            </button>
          ))}
        </nav>
      )}
      {names.length === 0 ? null : (
        <fieldset aria-label="Actions">
          {names.map((name) => (
            <button type="button" class="act plain" key={name} onClick={() => void choose(name)}>
              <Line text={name} chars={60} />
            </button>
          ))}
        </fieldset>
      )}
      {action === null ? null : <ActionForm action={action} onRun={onRun} onClose={() => setAction(null)} />}
    </div>
  )
}
