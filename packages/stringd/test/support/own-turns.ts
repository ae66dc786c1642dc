import { Approvals } from '../../src/approvals/approvals.ts'
import { createLog } from '../../src/log.ts'
import type { Store } from '../../src/store/store.ts'
import type { Clock } from '../../src/turns/clock.ts'
import { Profiles } from '../../src/turns/profiles.ts'
import { Turns } from '../../src/turns/turns.ts'
import type { TurnsFleet, TurnsParts } from '../../src/turns/turns-parts.ts'

/** A daemon that shares its store with nobody. */
const ONE_NODE: TurnsFleet = {
  ready: () => Promise.resolve(),
  isHere: () => true,
  isForAnyone: () => false,
  guest: () => Promise.resolve(null),
  noted: () => Promise.resolve(),
  nameOf: (id) => id,
  maxTurns: 8,
}

/** The turns of one agent without a daemon around them: `run` is what becomes of each. */
export function ownTurns(store: Store, clock: Clock, { agent, run }: { agent: Agent; run: TurnsParts['run'] }): Turns {
  const log = createLog(() => undefined)
  return new Turns({
    store,
    holder: 'h',
    agent: () => agent,
    profiles: new Profiles(),
    run,
    approvals: new Approvals({ store, clock, log }),
    changed: () => undefined,
    said: () => undefined,
    kill: () => Promise.resolve(),
    fleet: ONE_NODE,
    log,
    clock,
  })
}

type Agent = NonNullable<ReturnType<TurnsParts['agent']>>
