import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'

const { O_RDONLY, O_NOCTTY, O_NONBLOCK } = constants

/**
 * What was typed into the terminal of a shell and no program has read: it is taken out of it. An interrupt throws that away,
 * and whoever typed it would have lost it.
 */
export function takeUnread(pid: number): string {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/0`)
    return /^\/dev\/pts\/\d+$/.test(path) ? readAll(path) : ''
  } catch (error) {
    // The shell has just ended, or the system does not tell which terminal it has.
    if (isSystemError(error)) return ''
    throw error
  }
}

/** Line by line, until there is none: no process is stopped for it, since the terminal is not our own. */
function readAll(path: string): string {
  const descriptor = openSync(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
  const bytes = Buffer.alloc(LIMITS.unreadBytes)
  let length = 0
  try {
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
  } catch (error) {
    if (!isSystemError(error)) throw error
  } finally {
    closeSync(descriptor)
  }
  return bytes.toString('utf8', 0, length)
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
