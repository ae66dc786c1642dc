import type { Health } from '@string-os/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { system } from '../../data/calls.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Refused, Waiting } from '../../parts/empty.tsx'
import { Findings } from './findings.tsx'
import { LogEnd } from './log-end.tsx'
import { Nodes } from './nodes.tsx'

/** The daemon itself: what it is, what it finds out about itself, and the end of its log. */
export function System(): VNode {
  const health = useLoaded('health', system.health, ({ kind }) => kind === 'node' || kind === 'agent')
  return (
    <section class="place system">
      <header class="bar">
        <h1>System</h1>
      </header>
      {health.value === null ? (
        health.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={health.refusal} what="The daemon" />
        )
      ) : null}
      {health.value === null ? null : <Facts health={health.value} />}
      <Nodes />
      <Findings />
      <LogEnd />
    </section>
  )
}

function Facts({ health: { version, pid, agents, sessions, store } }: { health: Health }): VNode {
  return (
    <dl class="table">
      <Fact name="Version">{version}</Fact>
      <Fact name="Process">{pid}</Fact>
      <Fact name="Agents">{agents}</Fact>
      <Fact name="Open topics">{sessions}</Fact>
      <Fact name="Store">
        {store.kind}, {store.where}
      </Fact>
      {store.ok ? null : (
        <Fact name="Store is away">
          <span class="failed">{store.reason}</span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
