import type { VNode } from 'preact'
import type { Place } from '../address/address.ts'
import { Empty } from '../parts/empty.tsx'
import { Agent } from './agent/agent.tsx'
import { Agents } from './agents/agents.tsx'
import { Topic } from './topic/topic.tsx'

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
    default:
      return (
        <section class="place">
          <h1>Nowhere</h1>
          <Empty>There is no such place.</Empty>
          <a href="#/">All agents</a>
        </section>
      )
  }
}
