import type { AgentRow } from '@string-os/protocol'
import { useEffect, useState } from 'preact/hooks'
import { type AgentsWanted, agents } from '../data/calls.ts'
import { type Rows, useRows } from '../data/use-rows.ts'
import { concernsAgents } from '../frame/overview.ts'

/** A name is looked for when nothing was typed for a moment. */
const TYPED_MS = 150

/** A window over all agents: those that need somebody first. The daemon looks for names, for only it knows all. */
export function useAgents(wanted: AgentsWanted, pageRows?: number): Rows<AgentRow> {
  const { state, named = '' } = wanted
  const asked = { ...(state === undefined ? {} : { state }), ...(named === '' ? {} : { named }) }
  return useRows<AgentRow>(
    `agents ${state ?? ''} ${named}`,
    { list: (span) => agents.list({ ...asked, ...span }), idOf: ({ id }) => id, concerns: concernsAgents },
    pageRows,
  )
}

/** What was typed, once nobody types any more. */
export function useTyped(text: string): string {
  const [typed, setTyped] = useState(text.trim())
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text.trim()), TYPED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}
