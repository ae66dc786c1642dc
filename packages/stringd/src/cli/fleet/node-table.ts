import { type NodeView, visibleLine } from '@string-os/protocol'

const HEAD = ['NODE', 'STATE', 'HEARTBEAT', 'AGENTS', 'RUNNING', 'WAITING', 'OLDEST', 'VERSION']

/** Nodes as rows in columns; the one that was asked is marked. */
export function layNodes(nodes: readonly NodeView[]): string {
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
  const all = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}
