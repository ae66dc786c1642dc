import { readdirSync, readFileSync } from 'node:fs'

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

/** Group and session of a process; null when it is gone, a zombie, or hidden from us. */
export function processGroup(pid: number): { group: number; session: number } | null {
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

/** The environment that a process was started with; null when it is gone or not ours to look into. */
export function processEnvironment(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    // That is the answer.
    return null
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
