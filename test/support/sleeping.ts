import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** Seconds for a `sleep` that is like no other on this machine. */
export function oddSeconds(): string {
  return String(randomInt(100_000, 999_999))
}

/** Whether the `sleep` of that many seconds runs. */
export function isSleeping(seconds: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`
    } catch {
      // It ended while we looked.
      return false
    }
  })
}
