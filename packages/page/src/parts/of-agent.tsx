import type { VNode } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { shownLine } from '../text/shown.ts'
import { useAgents, useTyped } from './use-agents.ts'

interface OfAgentProps {
  /** The empty one is every agent. */
  readonly agent: string
  readonly onAgent: (agent: string) => void
}

/** So many names are offered. */
const OFFERED = 20

/** Chooses whose rows are shown: a name is typed, and the daemon says which there are. */
export function OfAgent({ agent, onAgent }: OfAgentProps): VNode {
  const [text, setText] = useState(agent)
  const id = useId()
  const found = useAgents({ order: 'name', named: useTyped(text) }, OFFERED)
  const names = found.value?.map((row) => row.id) ?? []
  const isMeant = text === '' || names.includes(text)
  useEffect(() => {
    if (isMeant) onAgent(text)
  }, [isMeant, text])
  return (
    <>
      <input
        type="search"
        class="of-agent"
        aria-label="Of which agent"
        placeholder="every agent"
        list={id}
        value={text}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={({ currentTarget }) => onAgent(currentTarget.value.trim())}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name}>
            {shownLine(name)}
          </option>
        ))}
      </datalist>
    </>
  )
}
