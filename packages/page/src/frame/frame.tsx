import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { addressOf, type Place } from '../address/address.ts'
import { goTo } from '../address/here.ts'
import { useApp } from '../app.ts'
import { Here } from '../places/here.tsx'
import { shownLine, shownText } from '../text/shown.ts'
import { Help } from './help.tsx'
import { Jump } from './jump.tsx'
import { OverviewContext, useLoadedOverview } from './overview.ts'
import { PLACES } from './places.ts'
import { Rail } from './rail.tsx'
import { moveRow } from './rows.ts'
import { LostBanner, Top } from './top.tsx'
import { Unbroken } from './unbroken.tsx'
import { useKeys } from './use-keys.ts'

type Window = 'help' | 'jump' | null

/** Everything around the place that one is in. */
export function Frame(): VNode {
  const { here } = useApp()
  const overview = useLoadedOverview()
  const [open, setOpen] = useState<Window>(null)
  const main = useRef<HTMLElement>(null)
  useKeys([
    { keys: '?', about: 'Show the keys', run: () => setOpen('help'), isEverywhere: true },
    { keys: '/', about: 'Go to an agent or a place', run: () => setOpen('jump'), isEverywhere: true },
    { keys: 'j', about: 'Next row', run: () => moveRow(1), isEverywhere: true },
    { keys: 'k', about: 'Row before', run: () => moveRow(-1), isEverywhere: true },
    ...PLACES.map(({ key, name, place }) => ({
      keys: `g ${key}`,
      about: name,
      run: () => goTo(place),
      isEverywhere: true as const,
    })),
  ])
  const address = addressOf(here.value)
  const room = roomOf(here.value)
  // What is opened inside of a room leaves the focus, and the list that it was opened from, where they are.
  // At once: a key that is pressed as soon as the room is seen must not lose its field.
  useLayoutEffect(() => main.current?.focus({ preventScroll: true }), [room])
  const waiting = overview.value?.approvals ?? 0
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${shownLine(titleOf(here.value))} · String`
  }, [address, waiting])
  return (
    <OverviewContext.Provider value={overview}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Top />
      <Rail onHelp={() => setOpen('help')} onJump={() => setOpen('jump')} />
      <div class="stage">
        <LostBanner />
        <main ref={main} tabIndex={-1} key={room}>
          <Unbroken>
            <Here place={here.value} />
          </Unbroken>
        </main>
        <NoticeLine />
      </div>
      {open === 'help' ? <Help onClose={() => setOpen(null)} /> : null}
      {open === 'jump' ? <Jump onClose={() => setOpen(null)} /> : null}
    </OverviewContext.Provider>
  )
}

/** Where one is, without what is open there. */
function roomOf(place: Place): string {
  if (place.kind === 'inbox' || place.kind === 'approvals') return place.kind
  return addressOf(place)
}

function titleOf(place: Place): string {
  if (place.kind === 'topic') return `${place.topic} of ${place.agent}`
  if (place.kind === 'agent' || place.kind === 'session' || place.kind === 'turn') return place.agent
  if (place.kind === 'fleet') return 'Fleet'
  return PLACES.find(({ place: { kind } }) => kind === place.kind)?.name ?? 'Nowhere'
}

/** A line that is always there, so that nothing moves and nothing is covered when it says something. */
function NoticeLine(): VNode {
  const { notices } = useApp()
  const notice = notices.notice.value
  return (
    <div class={`notice ${notice?.kind ?? 'none'}`}>
      <bdi role="status">{notice === null ? '' : shownText(notice.text)}</bdi>
      {notice?.kind === 'failed' ? (
        <button type="button" class="act plain" onClick={() => notices.show(null)}>
          Dismiss
        </button>
      ) : null}
    </div>
  )
}
