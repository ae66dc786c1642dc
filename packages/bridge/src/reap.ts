import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The variable that marks everything a topic or turn starts: `<data folder id>:<topic or turn>`. */
export const OWNER_VARIABLE = 'STRING_OWNER'

/** How to know the processes that belong together. What left the session and cleared its environment is out of reach. */
export interface Family {
  /** The process that was started as the leader of its own group, and perhaps session. */
  readonly leader?: number
  /** The mark in their environment; one that ends with a colon or slash stands for all that begin with it. */
  readonly owner?: string
}

export interface EndOptions {
  /** How long a process may take to end after TERM. */
  readonly graceMs: number
  /** A process that waits for TERM to finish its work would be ended by a hang-up. */
  readonly signals?: readonly NodeJS.Signals[]
}

const POLL_MS = 15
const KILL_ROUNDS = 40
const UNCLEAR_LOOKS = 5
const UNCLEAR_MS = 3

type Belongs = 'yes' | 'no' | 'unclear'

/** The living processes of a family, this one never among them. */
export function familyMembers(family: Family): number[] {
  const pids = processIds()
  if (pids === null) return family.leader !== undefined && isAlive(family.leader) ? [family.leader] : []
  return pids.filter((pid) => belongs(pid, family) === 'yes')
}

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

/** Nobody left, also among those that did not show yet whose they are. */
async function isGone(family: Family): Promise<boolean> {
  for (let look = 0; look < UNCLEAR_LOOKS; look += 1) {
    const found = anyBelongs(processIds() ?? familyMembers(family), family)
    if (found !== 'unclear') return found === 'no'
    await sleep(UNCLEAR_MS)
  }
  return true
}

/** Whether one of these processes is of the family. */
export function anyBelongs(pids: Iterable<number>, family: Family): Belongs {
  let isUnclear = false
  for (const pid of pids) {
    const found = belongs(pid, family)
    if (found === 'yes') return 'yes'
    if (found === 'unclear') isUnclear = true
  }
  return isUnclear ? 'unclear' : 'no'
}

/** Once to each: a second TERM would end a process that is just heeding the first. */
function signalAll(family: Family, signal: NodeJS.Signals): void {
  const others = familyMembers(family).filter((pid) => readStat(pid)?.group !== family.leader)
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

/** Whether a process is one of the family, if it shows that already. */
function belongs(pid: number, { leader, owner }: Family): Belongs {
  const stat = pid === process.pid ? null : readStat(pid)
  if (stat === null) return 'no'
  if (leader !== undefined && (pid === leader || stat.group === leader || stat.session === leader)) return 'yes'
  return owner === undefined ? 'no' : hasMark(pid, owner)
}

/** Group and session of a process; null when it is gone, a zombie, or hidden from us. */
function readStat(pid: number): { group: number; session: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind the name in brackets: state, parent, group, session.
    const [state, , group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : { group: Number(group), session: Number(session) }
  } catch {
    // It ended while we looked.
    return null
  }
}

/** While a process becomes another program, its environment is empty for a moment. */
function hasMark(pid: number, owner: string): Belongs {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    if (environment === '') return 'unclear'
    const mark = `\0${OWNER_VARIABLE}=${owner}`
    return `\0${environment}`.includes(/[:/]$/.test(owner) ? mark : `${mark}\0`) ? 'yes' : 'no'
  } catch {
    // Not ours to look into, or gone.
    return 'no'
  }
}

function processIds(): number[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // No /proc: only the group of the leader can be reached.
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
