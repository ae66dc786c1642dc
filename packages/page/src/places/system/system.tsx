import type { VNode } from 'preact'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { Facts } from './facts.tsx'
import { Findings } from './findings.tsx'
import { LogEnd } from './log-end.tsx'
import { Nodes } from './nodes.tsx'
import { RecentErrors } from './recent-errors.tsx'

/** The daemon itself: what it is, how much it takes, what it finds out about itself, and the end of its log. */
export function System(): VNode {
  const health = useLoaded(
    'health',
    system.health,
    ({ kind }) => kind === 'node' || kind === 'agent' || kind === 'topic',
  )
  return (
    <section class="place system">
      <header class="bar">
        <h1>System</h1>
      </header>
      {health.value === null ? (
        health.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={health.refusal} what="The daemon" retry={health.reload} />
        )
      ) : null}
      {health.value === null ? null : <Facts health={health.value} />}
      <Nodes />
      <Findings />
      <RecentErrors />
      <LogEnd />
    </section>
  )
}
