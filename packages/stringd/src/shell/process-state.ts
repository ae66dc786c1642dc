import { readFileSync } from 'node:fs'

/** Whether the shell itself has the terminal: nothing that it started is in front of it. */
export function isInFront(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind the name in brackets: state, parent, group, session, terminal, group in front.
    const [, , group, , , front] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return group === front
  } catch {
    // Gone, or no /proc.
    return false
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
