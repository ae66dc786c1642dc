import type { NodeView } from '@string-os/protocol'
import type { VNode } from 'preact'
import { addressOf } from '../../address/address.ts'
import { system } from '../../data/calls.ts'
import { type Rows, useRows } from '../../data/use-rows.ts'
import { Glyph, type Shape } from '../../parts/glyph.tsx'
import { span } from '../../parts/when.tsx'
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
    <ul class="rows node-rows">
      {nodes.map((node) => (
        <li key={node.id}>
          <div class="cells" data-row tabIndex={-1}>
            <Glyph shape={SHAPES[node.state]} />
            <b class="name">
              <Line text={node.name} />
            </b>
            <span class="wraps">{stateOf(node)}</span>
            <span class="num">{node.agents === 1 ? '1 agent' : `${node.agents} agents`}</span>
            <span class="num">{node.running} running</span>
            <span class="num">{waitingOf(node)}</span>
            <span class="hint">String {node.version}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}

function stateOf({ state, here, heartbeat_age_s: age }: NodeView): string {
  return `${state}${here ? ', this one' : ''}${state === 'lost' ? `, not heard of for ${span(age * 1_000)}` : ''}`
}

function waitingOf({ waiting, oldest_waiting_s: oldest }: NodeView): string {
  return `${waiting} waiting${oldest === null ? '' : ` for up to ${span(oldest * 1_000)}`}`
}
