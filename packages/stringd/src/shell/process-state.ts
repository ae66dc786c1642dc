import { readFileSync } from 'node:fs'

/** Whether the shell itself has the terminal: nothing that it started is in front of it. */
export function isInFront(pid: number): boolean {
  const groups = groupsOf(pid)
  return groups !== null && groups.own === groups.front
}

/** Whether a program that the shell started has the terminal, and has become that program. */
export function isProgramInFront(pid: number): boolean {
  const groups = groupsOf(pid)
  return groups === null || (groups.own !== groups.front && commandLine(groups.front) !== commandLine(pid))
}

/** Null when the process is gone, or when there is no /proc. */
function groupsOf(pid: number): { own: number; front: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind the name in brackets: state, parent, group, session, terminal, group in front.
    const [, , own, , , front] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { own: Number(own), front: Number(front) }
  } catch {
    // As said above.
    return null
  }
}

/** The words with which a process runs now; they change when it becomes another program. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // Gone, or no /proc.
    return ''
  }
}
