import type { VNode } from 'preact'
import type { Place } from '../address/address.ts'
import { Empty } from '../parts/empty.tsx'
import { Agent } from './agent/agent.tsx'
import { Agents } from './agents/agents.tsx'
import { Approvals } from './approvals/approvals.tsx'
import { Inbox } from './inbox/inbox.tsx'
import { Outbox } from './outbox/outbox.tsx'
import { Fleet } from './system/fleet.tsx'
import { System } from './system/system.tsx'
import { Topic } from './topic/topic.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'

/** The place that an address names. */
export function Here({ place }: { place: Place }): VNode {
  switch (place.kind) {
    case 'agents':
      return <Agents />
    case 'agent':
      return <Agent agent={place.agent} shown={{ kind: 'latest' }} />
    case 'session':
      return <Agent agent={place.agent} shown={{ kind: 'session', session: place.session }} />
    case 'turn':
      return <Agent agent={place.agent} shown={{ kind: 'turn', turn: place.turn }} />
    case 'topic':
      return <Topic agent={place.agent} topic={place.topic} />
    case 'inbox':
      return <Inbox event={place.event} />
    case 'outbox':
      return <Outbox />
    case 'approvals':
      return <Approvals approval={place.approval} />
    case 'webhooks':
      return <Webhooks />
    case 'system':
      return <System />
    case 'fleet':
      return <Fleet />
    case 'nowhere':
      return <Nowhere />
  }
}

function Nowhere(): VNode {
  return (
    <section class="place">
      <h1>Nowhere</h1>
      <Empty>There is no such place.</Empty>
      <a href="#/">All agents</a>
    </section>
  )
}
