import type { ReadonlySignal } from '@preact/signals'
import type { AgentRow } from '@string-os/protocol'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Place } from './address/address.ts'
import type { Keys } from './frame/keys.ts'
import type { Notices } from './frame/notices.ts'
import type { Clock } from './live/clock.ts'
import type { Live } from './live/live.ts'

/** What every part of the page may use. */
export interface App {
  readonly here: ReadonlySignal<Place>
  readonly live: Live
  readonly clock: Clock
  readonly keys: Keys
  readonly notices: Notices
  readonly seen: Seen
}

/** What was in sight last, for who comes back to it. */
export interface Seen {
  agents: readonly AgentRow[] | null
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('Used outside of the page')
  return app
}
