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
}

const POLL_MS = 15
const KILL_ROUNDS = 40

/** The living processes of a family, this one never among them. */
export function familyMembers(family: Family): number[] {
  const pids = processIds()
  if (pids === null) return family.leader !== undefined && isAlive(family.leader) ? [family.leader] : []
  return pids.filter((pid) => pid !== process.pid && isMember(pid, family))
}

/** Hang-up and TERM, a grace, then KILL until nobody is left. */
export async function endFamily(family: Family, { graceMs }: EndOptions): Promise<void> {
  if (familyMembers(family).length === 0) return
  signalAll(family, 'SIGHUP')
  signalAll(family, 'SIGTERM')
  // A stopped process does not hear TERM before it goes on.
  signalAll(family, 'SIGCONT')
  const deadline = performance.now() + graceMs
  while (performance.now() < deadline) {
    if (familyMembers(family).length === 0) return
    await sleep(POLL_MS)
  }
  await killFamily(family)
}

/** At once. Looks again, because one that was forking may have got a child out. */
export async function killFamily(family: Family): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    if (familyMembers(family).length === 0) return
    signalAll(family, 'SIGKILL')
    await sleep(POLL_MS)
  }
}

function signalAll(family: Family, signal: NodeJS.Signals): void {
  if (family.leader !== undefined) send(-family.leader, signal)
  for (const pid of familyMembers(family)) send(pid, signal)
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

function isMember(pid: number, { leader, owner }: Family): boolean {
  const stat = readStat(pid)
  if (stat === null) return false
  if (leader !== undefined && (pid === leader || stat.group === leader || stat.session === leader)) return true
  return owner !== undefined && hasMark(pid, owner)
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

function hasMark(pid: number, owner: string): boolean {
  try {
    const environment = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
    const mark = `\0${OWNER_VARIABLE}=${owner}`
    return environment.includes(/[:/]$/.test(owner) ? mark : `${mark}\0`)
  } catch {
    // Not ours to look into, or gone.
    return false
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
