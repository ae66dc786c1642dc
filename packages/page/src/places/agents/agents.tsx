import type { AgentRow } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useOverview } from '../../frame/overview.ts'
import { useKeys } from '../../frame/use-keys.ts'
import { Empty, Refused, Waiting } from '../../parts/empty.tsx'
import { AddAgent } from './add-agent.tsx'
import { AgentLine } from './agent-line.tsx'
import { Glance } from './glance.tsx'

/** How many rows come at once. */
const STEP = 100

const STATES = ['all', 'running', 'waiting', 'failing', 'paused', 'idle'] as const
type Filter = (typeof STATES)[number]

/** All agents: what they do now, what waits, what went wrong. */
export function Agents(): VNode {
  const { agents } = useOverview()
  const [isAdding, setAdding] = useState(false)
  useKeys([{ keys: 'n', about: 'Add an agent', run: () => setAdding(true) }])
  return (
    <section class="place agents">
      <h1 class="unseen">All agents</h1>
      <Glance />
      {agents.value === null ? (
        agents.refusal === null ? (
          <Waiting />
        ) : (
          <Refused refusal={agents.refusal} what="The agents" retry={agents.reload} />
        )
      ) : (
        <List all={agents.value} onAdd={() => setAdding(true)} />
      )}
      {isAdding ? <AddAgent onClose={() => setAdding(false)} /> : null}
    </section>
  )
}

function List({ all, onAdd }: { all: readonly AgentRow[]; onAdd: () => void }): VNode {
  const [filter, setFilter] = useState<Filter>('all')
  const [name, setName] = useState('')
  const [shown, setShown] = useState(STEP)
  const named = name.trim().toLowerCase()
  const found = all
    .filter((row) => isOf(row, filter) && row.id.toLowerCase().includes(named))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return (
    <>
      <header class="bar">
        <h2>Agents</h2>
        <fieldset class="filters" aria-label="Which agents">
          {STATES.filter((state) => state === filter || all.some((row) => isOf(row, state))).map((state) => (
            <button type="button" key={state} aria-pressed={filter === state} onClick={() => setFilter(state)}>
              {state} <span class="num">{all.filter((row) => isOf(row, state)).length}</span>
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
      {all.length === 0 ? (
        <Empty type={'string agent add ada --profile ada.yaml\nstring chat --agent ada'}>
          No agents yet. Add one here, or type in a terminal:
        </Empty>
      ) : null}
      {all.length > 0 && found.length === 0 ? <Empty>No agent is so.</Empty> : null}
      <ul class="rows agent-rows">
        {found.slice(0, shown).map((agent) => (
          <AgentLine key={agent.id} agent={agent} />
        ))}
      </ul>
      {found.length > shown ? (
        <button type="button" class="more" onClick={() => setShown(shown + STEP)}>
          Show more, {found.length - shown} are left
        </button>
      ) : null}
    </>
  )
}

function isOf({ state, paused }: AgentRow, filter: Filter): boolean {
  if (filter === 'all') return true
  return filter === 'paused' ? paused : state === filter
}
