import type { VNode } from 'preact'
import { useApp } from '../app.ts'
import { Dialog } from '../parts/dialog.tsx'

export function Help({ onClose }: { onClose: () => void }): VNode {
  const { keys } = useApp()
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {keys.all().map(({ keys: pressed, about }) => (
          <div key={pressed}>
            <dt>
              {pressed.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>Open the row, send the message, run the command</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Leave a field, close a window</dd>
        </div>
      </dl>
    </Dialog>
  )
}
