import type { VNode } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { addressOf, type Place } from '../address/address.ts'
import { goTo } from '../address/here.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useAgents, useTyped } from '../parts/use-agents.ts'
import { Line } from '../text/visible.tsx'
import { PLACES } from './places.ts'

interface Goal {
  readonly name: string
  readonly about: string
  readonly place: Place
}

const SHOWN = 12

/** Goes to whatever is typed: a place, an agent, or the id of a turn, event or approval. */
export function Jump({ onClose }: { onClose: () => void }): VNode {
  const [text, setText] = useState('')
  const named = useTyped(text)
  const agents = useAgents({ order: 'name', named }, SHOWN)
  const isSettled = agents.isSettled && named === text.trim()
  const [isMeant, setMeant] = useState(false)
  const [at, setAt] = useState(0)
  const id = useId()
  const goals = goalsFor(text.trim(), agents.value?.map(({ id }) => id) ?? [])
  const go = (goal: Goal | undefined): void => {
    if (goal === undefined) return
    onClose()
    goTo(goal.place)
  }
  // Who types a name and Enter means what the daemon will answer.
  useEffect(() => {
    if (!isMeant || !isSettled) return
    setMeant(false)
    go(goals[at])
  }, [isMeant, isSettled])
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt(Math.min(goals.length - 1, Math.max(0, at + step)))
    else if (event.key === 'Enter') setMeant(true)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={goals.length === 0 ? undefined : `${id}-${at}`}
        aria-label="Agent, place or id"
        placeholder="agent, place or id"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onKeyDown={press}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
      />
      {goals.length === 0 ? <p class="hint">Nothing is called so.</p> : null}
      <div class="goals" role="listbox" id={id} aria-label="Where to">
        {goals.map((goal, index) => (
          // The field keeps the focus and says which option is meant.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={addressOf(goal.place)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => go(goal)}
          >
            <Line text={goal.name} chars={80} /> <span>{goal.about}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

function goalsFor(text: string, agents: readonly string[]): Goal[] {
  const wanted = text.toLowerCase()
  const places = PLACES.map(({ name, place }) => ({ name, about: 'place', place }))
  const known = agents.map((agent): Goal => ({ name: agent, about: 'agent', place: { kind: 'agent', agent } }))
  const named = [...known, ...places]
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => rank(a.name, wanted) - rank(b.name, wanted))
  return [...byId(text), ...named].slice(0, SHOWN)
}

/** What begins as it was typed comes first. */
const rank = (name: string, wanted: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1)

function byId(text: string): Goal[] {
  if (/^evt_\w+$/.test(text)) return [{ name: text, about: 'event', place: { kind: 'inbox', event: text } }]
  if (/^apr_\w+$/.test(text)) return [{ name: text, about: 'approval', place: { kind: 'approvals', approval: text } }]
  return []
}
