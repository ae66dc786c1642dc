import type { AgentRow, ApprovalView } from '@string-os/protocol'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { agents, approvals } from '../data/calls.ts'
import { type Loaded, useLoaded } from '../data/use-loaded.ts'

/** What is running, what waits for a person and what went wrong: known in every place. */
export interface Overview {
  readonly agents: Loaded<readonly AgentRow[]>
  readonly approvals: Loaded<readonly ApprovalView[]>
  readonly running: readonly AgentRow[]
  readonly failing: readonly AgentRow[]
}

export const OverviewContext = createContext<Overview | null>(null)

export function useOverview(): Overview {
  const overview = useContext(OverviewContext)
  if (overview === null) throw new Error('Used outside of the page')
  return overview
}

const CONCERNS_AGENTS = new Set(['agent', 'turn', 'event', 'approval'])

export function useLoadedOverview(): Overview {
  const all = useLoaded<readonly AgentRow[]>('agents', agents.list, ({ kind }) => CONCERNS_AGENTS.has(kind))
  const waiting = useLoaded<readonly ApprovalView[]>('approvals', approvals.waiting, ({ kind }) => kind === 'approval')
  return {
    agents: all,
    approvals: waiting,
    running: all.value?.filter(({ state }) => state === 'running') ?? [],
    failing: all.value?.filter(({ state }) => state === 'failing') ?? [],
  }
}
