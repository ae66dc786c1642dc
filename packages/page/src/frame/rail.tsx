import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf, type Place } from '../address/address.ts'
import { useApp } from '../app.ts'
import { useOverview } from './overview.ts'
import { PLACES } from './places.ts'

/** The places, with what waits in each. */
export function Rail({ onHelp, onJump }: { onHelp: () => void; onJump: () => void }): VNode {
  const { here } = useApp()
  const overview = useOverview().value
  const list = useRef<HTMLUListElement>(null)
  // On a narrow screen the places are a row that scrolls.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [here.value.kind])
  const counts: Partial<Record<Place['kind'], number>> = {
    agents: overview?.agents.all ?? 0,
    approvals: overview?.approvals ?? 0,
    inbox: overview?.pending_events ?? 0,
  }
  return (
    <nav class="rail" aria-label="Places">
      <ul ref={list}>
        {PLACES.map(({ place, name, belongs }) => (
          <li key={name}>
            <a href={addressOf(place)} aria-current={belongs.includes(here.value.kind) ? 'page' : undefined}>
              <span>{name}</span> <span class="num">{counts[place.kind] || ''}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="hints">
        <button type="button" onClick={onJump}>
          <kbd>/</kbd> go to
        </button>
        <button type="button" onClick={onHelp}>
          <kbd>?</kbd> keys
        </button>
      </p>
    </nav>
  )
}
