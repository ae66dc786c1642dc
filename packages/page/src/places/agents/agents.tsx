import { AGENT_FILTERS, type AgentFilter } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useOverview } from '../../frame/overview.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { useAgents, useTyped } from '../../parts/use-agents.ts'
import { AddAgent } from './add-agent.tsx'
import { AgentLine } from './agent-line.tsx'
import { Glance } from './glance.tsx'

type Filter = 'all' | AgentFilter
const FILTERS: readonly Filter[] = ['all', ...AGENT_FILTERS]

/** All agents: what they do now, what waits, what went wrong. */
export function Agents(): VNode {
  const [isAdding, setAdding] = useState(false)
  useKeys([{ keys: 'n', about: 'Add an agent', run: () => setAdding(true) }])
  return (
    <section class="place agents">
      <h1 class="unseen">All agents</h1>
      <Glance />
      <List onAdd={() => setAdding(true)} />
      {isAdding ? <AddAgent onClose={() => setAdding(false)} /> : null}
    </section>
  )
}

/** A window over them: what needs somebody comes first, and more on demand. */
function List({ onAdd }: { onAdd: () => void }): VNode {
  const overview = useOverview().value
  const [filter, setFilter] = useState<Filter>('all')
  const [name, setName] = useState('')
  const named = useTyped(name)
  const rows = useAgents({ order: 'state', named, ...(filter === 'all' ? {} : { state: filter }) })
  const counts = overview?.agents
  const node = overview?.node ?? null
  const left = named === '' && counts !== undefined ? counts[filter] - (rows.value?.length ?? 0) : 0
  return (
    <>
      <header class="bar">
        <h2>Agents</h2>
        <fieldset class="filters" aria-label="Which agents">
          {FILTERS.filter((state) => state === filter || (counts?.[state] ?? 0) > 0).map((state) => (
            <button type="button" key={state} aria-pressed={filter === state} onClick={() => setFilter(state)}>
              {state} <span class="num">{counts?.[state] ?? ''}</span>
            </button>
          ))}
        </fieldset>
        <input
          type="search"
          aria-label="Part of a name"
          placeholder="name"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="button" class="act main" onClick={onAdd}>
          Add an agent
        </button>
      </header>
      {rows.value === null ? (
        rows.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={rows.refusal} what="The agents" retry={rows.reload} />
        )
      ) : null}
      {rows.value?.length === 0 && filter === 'all' && named === '' ? (
        <Empty type={'string agent add ada --profile ada.yaml\nstring chat --agent ada'}>
          No agents yet. Add one here, or type in a terminal:
        </Empty>
      ) : null}
      {rows.value?.length === 0 && (filter !== 'all' || named !== '') ? <Empty>No agent is so.</Empty> : null}
      <ul class="rows agent-rows">
        {rows.value?.map((agent) => (
          <AgentLine key={agent.id} agent={agent} node={agent.node === node ? null : (agent.node ?? null)} />
        ))}
      </ul>
      {rows.hasMore ? (
        <button type="button" class="more" onClick={rows.more}>
          Show more{left > 0 ? `, ${left} are left` : ''}
        </button>
      ) : null}
    </>
  )
}
