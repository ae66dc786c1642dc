import { setTimeout as sleep } from 'node:timers/promises'
import { type Family, familyMembers, isGone } from './family.ts'
import { livingProcess } from './process-table.ts'

export { type Family, familyMembers, groupsFrom, newOwner, OWNER_VARIABLE } from './family.ts'
export { LastProcess, livingProcess, momentOf, type ProcessFacts, processFacts } from './process-table.ts'

export interface EndOptions {
  /** How long a process may take to end after TERM. */
  readonly graceMs: number
  /** A process that waits for TERM to finish its work would be ended by a hang-up. */
  readonly signals?: readonly NodeJS.Signals[]
}

const POLL_MS = 15
const KILL_ROUNDS = 40

/** Hang-up and TERM, a grace, then KILL until nobody is left. */
export async function endFamily(family: Family, options: EndOptions): Promise<void> {
  const { graceMs, signals = ['SIGHUP', 'SIGTERM'] } = options
  if (await isGone(family)) return
  for (const signal of signals) signalAll(family, signal)
  // A stopped process does not hear TERM before it goes on.
  signalAll(family, 'SIGCONT')
  const deadline = performance.now() + graceMs
  while (performance.now() < deadline) {
    if (await isGone(family)) return
    await sleep(POLL_MS)
  }
  await killFamily(family)
}

/** At once. Looks again, because one that was forking may have got a child out. */
export async function killFamily(family: Family): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    if (await isGone(family)) return
    signalAll(family, 'SIGKILL')
    await sleep(POLL_MS)
  }
}

/** Sends a signal once to each process: a second TERM would end a process that is just heeding the first. */
function signalAll(family: Family, signal: NodeJS.Signals): void {
  const others = familyMembers(family).filter((pid) => livingProcess(pid)?.group !== family.leader)
  if (family.leader !== undefined) send(-family.leader, signal)
  for (const pid of others) send(pid, signal)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // Gone meanwhile, or not ours to signal.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
