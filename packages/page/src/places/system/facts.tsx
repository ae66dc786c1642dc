import type { Health } from '@string-os/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { useOverview } from '../../frame/overview.ts'
import { Since, span, When } from '../../parts/when.tsx'
import { shownLine } from '../../text/shown.ts'

/** What the daemon is, and beside it what it holds of what it can hold. */
export function Facts({ health }: { health: Health }): VNode {
  return (
    <div class="tables">
      <Daemon health={health} />
      <Limits health={health} />
    </div>
  )
}

function Daemon({ health: { version, pid, started_at, store } }: { health: Health }): VNode {
  return (
    <dl class="table" aria-label="The daemon">
      <Fact name="Version">{version}</Fact>
      <Fact name="Process">{pid}</Fact>
      <Fact name="Up">
        <Since time={started_at} /> <span class="hint">since</span> <When time={started_at} />
      </Fact>
      <Fact name="Store">
        {store.kind} <span class="hint">{shownLine(store.where)}</span>
      </Fact>
      {store.ok ? null : (
        <Fact name="Store is away">
          <span class="failed">{shownLine(store.reason ?? '')}</span>
        </Fact>
      )}
    </dl>
  )
}

function Limits({ health: { agents, sessions, limits } }: { health: Health }): VNode {
  const waiting = useOverview().value?.approvals
  return (
    <dl class="table" aria-label="Limits">
      <Fact name="Agents">
        <Used count={agents} most={limits.agents} />
      </Fact>
      <Fact name="Open topics">
        <Used count={sessions} most={limits.sessions} />
      </Fact>
      <Fact name="Approvals">
        <Used count={waiting ?? 0} most={limits.waiting_approvals} /> <span class="hint">waiting</span>
      </Fact>
      <Fact name="Shells">
        <span class="hint">at most</span> {number(limits.shells)}
      </Fact>
      <Fact name="Waiting">
        <span class="hint">at most</span> {limits.waiting_commands} <span class="hint">commands in a topic,</span>{' '}
        {limits.waiting_turns} <span class="hint">turns in a session</span>
      </Fact>
      <Fact name="A command">
        <span class="hint">at most</span> {span(limits.command_ms)} <span class="hint">in a shell</span>
      </Fact>
      <Fact name="An event">
        <span class="hint">at most</span> {number(limits.event_bytes / 1024)} KB
        <span class="hint">, a request</span> {number(limits.request_bytes / 1024 / 1024)} MB
      </Fact>
    </dl>
  )
}

const number = (value: number): string => value.toLocaleString('en')

function Used({ count, most }: { count: number; most: number }): VNode {
  return (
    <>
      <span class="num">{number(count)}</span> <span class="hint">of {number(most)}</span>
    </>
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
