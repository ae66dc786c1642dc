import { type AgentCounts, LIMITS } from '@string-os/protocol'
import type { Standing } from './agent-standing.ts'

/** What needs somebody first: those that wait for a person, then those that run, that failed, and the rest. */
const RANKS: Readonly<Record<Standing['state'], number>> = { waiting: 0, running: 1, failing: 2, idle: 3 }

/** By their states, and by id among those of one. */
export function byState(standings: readonly Standing[]): Standing[] {
  return standings.toSorted((a, b) => RANKS[a.state] - RANKS[b.state] || (a.agent.id < b.agent.id ? -1 : 1))
}

export function countsOf(standings: readonly Standing[]): AgentCounts {
  const counts = { all: standings.length, running: 0, waiting: 0, failing: 0, idle: 0, paused: 0 }
  for (const { state, paused } of standings) {
    counts[state] += 1
    if (paused) counts.paused += 1
  }
  return counts
}

/** Those that run longest. */
export function longest(standings: readonly Standing[]): Standing[] {
  return first(standings, 'running', (a, b) => (a < b ? -1 : 1))
}

/** Those that failed last. */
export function failedLast(standings: readonly Standing[]): Standing[] {
  return first(standings, 'failing', (a, b) => (a < b ? 1 : -1))
}

function first(
  standings: readonly Standing[],
  wanted: Standing['state'],
  order: (a: string, b: string) => number,
): Standing[] {
  return standings
    .filter(({ state }) => state === wanted)
    .sort((a, b) => order(a.since ?? '', b.since ?? ''))
    .slice(0, LIMITS.overviewAgents)
}
