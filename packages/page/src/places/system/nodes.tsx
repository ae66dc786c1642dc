import type { NodeView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Glyph, type Shape } from '../../parts/glyph.tsx'
import { Line } from '../../text/visible.tsx'

const SHAPES: Readonly<Record<NodeView['state'], Shape>> = {
  up: 'done',
  draining: 'waiting',
  lost: 'failed',
  stopped: 'idle',
}

/** The daemons that share the store, where there are several. */
export function Nodes(): VNode | null {
  const { value } = useLoaded('fleet', system.fleet, ({ kind }) => kind === 'node')
  if (value === null || value.nodes.length < 2) return null
  return (
    <>
      <header class="bar">
        <h2>Nodes</h2>
      </header>
      <ul class="rows finding-rows">
        {value.nodes.map((node) => (
          <li key={node.id}>
            <div class="cells" data-row tabIndex={-1}>
              <Glyph shape={SHAPES[node.state]} label={node.state} />
              <b class="name">
                <Line text={node.name} />
              </b>
              <span class="wraps">{factsOf(node)}</span>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function factsOf({
  state,
  here,
  agents,
  running,
  waiting,
  oldest_waiting_s: oldest,
  heartbeat_age_s: age,
  version,
}: NodeView): string {
  const waits = oldest === null ? `${waiting} waiting` : `${waiting} waiting for up to ${Math.round(oldest)} s`
  const heard = state === 'lost' ? `, not heard of for ${Math.round(age)} s` : ''
  return `${state}${here ? ', this one' : ''}${heard}; ${agents} agents, ${running} running, ${waits}; ${version}`
}
