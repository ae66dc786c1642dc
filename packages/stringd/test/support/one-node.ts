import type { TurnsFleet } from '../../src/turns/turns-parts.ts'

/** A daemon that shares its store with nobody. */
export const ONE_NODE: TurnsFleet = {
  ready: () => Promise.resolve(),
  isHere: () => true,
  isForAnyone: () => false,
  guest: () => Promise.resolve(null),
  noted: () => Promise.resolve(),
  nameOf: (id) => id,
  maxTurns: 8,
}
