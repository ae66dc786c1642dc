import { type NodeView, visibleLine } from '@string-os/protocol'
import { type Column, layTable } from '../terminal/table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'NODE', most: 40 },
  { title: 'STATE', most: 8 },
  { title: 'HEARTBEAT', most: 12, drop: 1 },
  { title: 'AGENTS', most: 8, drop: 4, isNumber: true },
  { title: 'RUNNING', most: 8, drop: 2, isNumber: true },
  { title: 'WAITING', most: 8, drop: 2, isNumber: true },
  { title: 'OLDEST', most: 10, drop: 3, isNumber: true },
  { title: 'VERSION', most: 20 },
]

/** Nodes as rows in columns; the one that was asked is marked. */
export function nodeTable(nodes: readonly NodeView[], width: number | null): string {
  const rows = nodes.map((node) => [
    `${visibleLine(node.name)}${node.here ? ' *' : ''}`,
    node.state,
    `${node.heartbeat_age_s} s ago`,
    String(node.agents),
    String(node.running),
    String(node.waiting),
    node.oldest_waiting_s === null ? '-' : `${Math.round(node.oldest_waiting_s)} s`,
    node.version,
  ])
  const { head, line } = layTable(COLUMNS, rows, { width })
  return [head, ...rows.map(line)].join('\n')
}
