import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyBelongs, type Family, familyMembers } from './reap.ts'

/** Longer than this, process ids may have been used twice: then all processes are looked at. */
const RECENT_MS = 250
const ROUNDS = 8
const UNCLEAR_MS = 3

/**
 * Whether a leader that has ended left something of its family behind. Ids are given in order, so after a short life
 * only the few that came after its own can be its children; looking at all processes would take longer than the turn.
 */
export async function leftSomething(family: Family & { leader: number }, livedMs: number): Promise<boolean> {
  if (livedMs > RECENT_MS) return familyMembers(family).length > 0
  let next = family.leader + 1
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = lastProcessId()
    // The numbers have begun anew, or the system does not tell.
    if (last === null || last < family.leader) return familyMembers(family).length > 0
    if (last < next) return false
    const found = anyBelongs(range(next, last), family)
    if (found === 'yes') return true
    if (found === 'unclear') await sleep(UNCLEAR_MS)
    // Meanwhile one of them may have started another.
    else next = last + 1
  }
  return familyMembers(family).length > 0
}

function* range(first: number, last: number): Iterable<number> {
  for (let pid = first; pid <= last; pid += 1) yield pid
}

/** The id that the system gave last. */
function lastProcessId(): number | null {
  try {
    const last = Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1))
    return Number.isInteger(last) && last > 0 ? last : null
  } catch {
    // No /proc here.
    return null
  }
}
