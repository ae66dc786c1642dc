import type { VNode } from 'preact'
import { useApp } from '../app.ts'
import { Dialog } from '../parts/dialog.tsx'

interface Told {
  readonly keys: string
  readonly about: string
}

/** Those of fields, which the browser or the field itself knows. */
const IN_FIELDS: readonly Told[] = [
  { keys: 'Enter', about: 'Open, send or run' },
  { keys: 'Esc', about: 'Leave, close' },
]

export function Help({ onClose }: { onClose: () => void }): VNode {
  const { keys } = useApp()
  const here = keys.all().filter(({ isEverywhere }) => isEverywhere !== true)
  const everywhere = keys.all().filter(({ isEverywhere }) => isEverywhere === true)
  return (
    <Dialog title="Keys" onClose={onClose}>
      {here.length === 0 ? null : <List title="In this place" told={here} />}
      <List title="Everywhere" told={[...everywhere, ...IN_FIELDS]} />
    </Dialog>
  )
}

function List({ title, told }: { title: string; told: readonly Told[] }): VNode {
  return (
    <section class="keys">
      <h3>{title}</h3>
      <dl>
        {told.map(({ keys, about }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
