import type { NodeView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { system } from '../../data/calls.ts'
import { type Rows, useRows } from '../../data/use-rows.ts'
import { Glyph, type Shape } from '../../parts/glyph.tsx'
import { Line } from '../../text/visible.tsx'

const SHAPES: Readonly<Record<NodeView['state'], Shape>> = {
  up: 'done',
  draining: 'warned',
  lost: 'failed',
  stopped: 'idle',
}

/** So many stand beside everything else about the daemon. */
const FEW = 10

/** The daemons that share the store, by name. */
export function useNodes(pageRows?: number): Rows<NodeView> {
  const list = { list: system.nodes, idOf: ({ name }: NodeView) => name }
  return useRows<NodeView>('nodes', { ...list, concerns: ({ kind }) => kind === 'node' }, pageRows)
}

/** A few of them, where there are several. */
export function Nodes(): VNode | null {
  const { value, hasMore } = useNodes(FEW)
  if (value === null || value.length < 2) return null
  return (
    <>
      <header class="bar">
        <h2>Nodes</h2>
        <a href={addressOf({ kind: 'fleet' })}>{hasMore ? 'all of the fleet' : 'the fleet'}</a>
      </header>
      <NodeRows nodes={value} />
    </>
  )
}

export function NodeRows({ nodes }: { nodes: readonly NodeView[] }): VNode {
  return (
    <ul class="rows finding-rows">
      {nodes.map((node) => (
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
  const living = agents === 1 ? '1 agent' : `${agents} agents`
  return `${state}${here ? ', this one' : ''}${heard}; ${living}, ${running} running, ${waits}; ${version}`
}
