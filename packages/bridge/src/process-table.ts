import { readdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** All living processes; null where the system does not tell. */
export function processIds(): number[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // No /proc here.
    return null
  }
}

/** The id that the system gave last; ids are given in order, and begin anew after the largest. 0: it does not tell. */
export function lastProcessId(): number {
  try {
    const last = Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1))
    return Number.isInteger(last) ? last : 0
  } catch {
    // No /proc here.
    return 0
  }
}

export interface ProcessGroup {
  readonly group: number
  readonly session: number
  /** When the process began, in milliseconds since the machine did, to a hundredth of a second. */
  readonly bornMs: number
}

/** The clock of `/proc` ticks a hundred times a second, on every Linux that Node runs on. */
const TICK_MS = 10
/** Where in the line the time of birth stands, counted from the state. */
const BORN = 19

/** Group and session of a process; null when it is gone, a zombie, or hidden from us. */
export function processGroup(pid: number): ProcessGroup | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind the name in brackets: state, parent, group, session.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, , group, session] = fields
    if (state === 'Z' || state === 'X') return null
    return { group: Number(group), session: Number(session), bornMs: Number(fields[BORN]) * TICK_MS }
  } catch {
    // It ended while we looked.
    return null
  }
}

/** The environment that a process was started with; null when it is gone or not ours to look into. */
export function processEnvironment(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    // That is the answer.
    return null
  }
}

/** A moment to tell what began before and after it: times of birth are too coarse for that, ids begin anew some day. */
export interface Moment {
  readonly lastId: number
  /** On the clock of `bornMs`, give or take a tick. */
  readonly ms: number
}

/** The moment `ageMs` ago, at which `lastId` was the last id given; null where the clocks of the system disagree. */
export function momentOf(lastId: number, ageMs: number): Moment | null {
  const nowMs = uptime() * 1000
  // In some containers the machine claims to be younger than this very process.
  const own = processGroup(process.pid)
  return own === null || own.bornMs > nowMs + TICK_MS ? null : { lastId, ms: nowMs - ageMs }
}

export function isBornAfter(pid: number, bornMs: number, { lastId, ms }: Moment): boolean {
  return bornMs > ms + 2 * TICK_MS || (pid > lastId && bornMs >= ms - 2 * TICK_MS)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
