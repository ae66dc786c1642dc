import { readFileSync } from 'node:fs'
import { processFacts } from '@string-os/bridge/reap'

/** Whether the shell itself has the terminal: nothing that it started is in front of it. */
export function isInFront(pid: number): boolean {
  const shell = processFacts(pid)
  return shell !== null && shell.group === shell.frontGroup
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
