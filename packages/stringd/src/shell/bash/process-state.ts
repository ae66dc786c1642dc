import { readFileSync } from 'node:fs'
import { processFacts } from '@string-os/bridge/reap'

/** Whether the shell itself has the terminal: nothing that it started is in front of it. */
export function isInFront(pid: number): boolean {
  const shell = processFacts(pid)
  return shell !== null && shell.group === shell.frontGroup
}

/** The group of processes that has the terminal of a shell; null where that is the shell itself, or has ended. */
export function frontGroup(pid: number): number | null {
  const shell = processFacts(pid)
  return shell === null || shell.frontGroup <= 1 || shell.frontGroup === shell.group ? null : shell.frontGroup
}

/** Whether a program that the shell started has the terminal, and has become that program. */
export function isProgramInFront(pid: number): boolean {
  const shell = processFacts(pid)
  if (shell === null) return true
  return shell.group !== shell.frontGroup && commandLine(shell.frontGroup) !== commandLine(pid)
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
