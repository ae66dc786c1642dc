import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
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
  const ids = new LastProcess()
  const last = ids.last()
  ids.end()
  return last
}

/** Tells it again and again, for who asks at each command: opening its file costs more than all the rest. */
export class LastProcess {
  readonly #text = Buffer.alloc(128)
  #file: number | null | undefined

  last(): number {
    if (this.#file === undefined) this.#file = openOrNull('/proc/loadavg')
    if (this.#file === null) return 0
    const length = readSync(this.#file, this.#text, 0, this.#text.length, 0)
    const last = Number(this.#text.toString('latin1', 0, length).trim().split(' ').at(-1))
    return Number.isInteger(last) ? last : 0
  }

  end(): void {
    if (typeof this.#file === 'number') closeSync(this.#file)
    this.#file = undefined
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    // No /proc here, or no descriptor left.
    return null
  }
}

/** What the system tells of a process. */
export interface ProcessFacts {
  readonly parent: number
  readonly group: number
  readonly session: number
  /** The group that has its terminal. */
  readonly frontGroup: number
  /** When it began, in milliseconds since the machine did, to a hundredth of a second. */
  readonly bornMs: number
  /** When it began, as the system writes it: tells a process from a later one with its id. */
  readonly birth: string
  /** It has ended, and nobody has asked how. */
  readonly isEnded: boolean
}

/** The clock of `/proc` ticks a hundred times a second, on every Linux that Node runs on. */
const TICK_MS = 10
/** Where in the line the time of birth stands, counted from the state. */
const BORN = 19

/** The facts of a process; null when it is gone or hidden from us, or where the system does not tell. */
export function processFacts(pid: number): ProcessFacts | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind the name in brackets, which may hold blanks and brackets: state, parent, group, session, terminal, front.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, parent, group, session, , front] = fields
    const birth = fields[BORN] ?? ''
    return {
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      frontGroup: Number(front),
      bornMs: Number(birth) * TICK_MS,
      birth,
      isEnded: state === 'Z' || state === 'X',
    }
  } catch {
    // It ended while we looked, or there is no /proc here.
    return null
  }
}

/** The facts of a process that runs; null of one that has ended, too. */
export function livingProcess(pid: number): ProcessFacts | null {
  const facts = processFacts(pid)
  return facts?.isEnded === false ? facts : null
}

/** The environment that a process was started with; null when it is gone or not ours to look into. */
export function processEnvironment(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    // It is gone, or another user's.
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
  const own = livingProcess(process.pid)
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
