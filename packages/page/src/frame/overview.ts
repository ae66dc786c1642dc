import type { OverviewView } from '@string-os/protocol'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { agents } from '../data/calls.ts'
import { type Loaded, useLoaded } from '../data/use-loaded.ts'
import type { Change } from '../live/frame.ts'

/** What is running, what waits for a person and what went wrong: known in every place. */
export type Overview = Loaded<OverviewView>

export const OverviewContext = createContext<Overview | null>(null)

export function useOverview(): Overview {
  const overview = useContext(OverviewContext)
  if (overview === null) throw new Error('Used outside of the page')
  return overview
}

const CONCERNS_AGENTS = new Set(['agent', 'turn', 'event', 'approval'])

/** Whether what agents do may be another. */
export const concernsAgents = ({ kind }: Change): boolean => CONCERNS_AGENTS.has(kind)

export function useLoadedOverview(): Overview {
  return useLoaded<OverviewView>('overview', agents.overview, concernsAgents)
}
