import type { AgentRow } from '@string-os/protocol'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app.ts'
import { type AgentsWanted, agents } from '../data/calls.ts'
import { type Rows, useRows } from '../data/use-rows.ts'
import { concernsAgents } from '../frame/overview.ts'

/** A name is looked for when nothing was typed for a moment. */
const TYPED_MS = 150

export interface AgentRows extends Rows<AgentRow> {
  /** What is there is what was asked for, and not what was there before. */
  readonly isSettled: boolean
}

/**
 * A window over all agents. The daemon looks for names, for only it knows all. Until it has
 * answered, what was there stays, also from the last time that somebody was here: rows that come and go cannot be used.
 */
export function useAgents(wanted: AgentsWanted, pageRows?: number): AgentRows {
  const { seen } = useApp()
  const { order, state, named = '' } = wanted
  const asked = { order, ...(state === undefined ? {} : { state }), ...(named === '' ? {} : { named }) }
  const rows = useRows<AgentRow>(
    `agents ${order} ${state ?? ''} ${named}`,
    {
      list: (span) => agents.list({ ...asked, ...span }),
      idOf: ({ id }) => id,
      // Where they are only named, what they do is of no concern.
      concerns: order === 'state' ? concernsAgents : ({ kind }) => kind === 'agent',
    },
    pageRows,
  )
  const last = useRef<readonly AgentRow[] | null>(order === 'state' ? seen.agents : null)
  if (rows.value !== null) last.current = rows.value
  const isFirst = order === 'state' && state === undefined && named === ''
  if (rows.value !== null && isFirst) seen.agents = rows.value
  const isSettled = rows.value !== null || rows.refusal !== null
  return { ...rows, isSettled, value: rows.value ?? (rows.refusal === null ? last.current : null) }
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
