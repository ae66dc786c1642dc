import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { visibleLine } from '@string-os/protocol'

export interface PortOwner {
  readonly pid: number
  readonly command: string
}

/** Who listens on a port of 127.0.0.1, as far as this system and user can tell. */
export function portOwner(port: number): PortOwner | null {
  try {
    const inodes = listeningInodes(port)
    if (inodes.size === 0) return null
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const pid = pids.find((candidate) => holdsSocket(candidate, inodes))
    return pid === undefined ? null : { pid: Number(pid), command: commandOf(pid) }
  } catch {
    // No /proc on this system: the owner stays unknown.
    return null
  }
}

/** A variable in the environment with which a process was started; null when it has none or is not ours to look into. */
export function environmentOf(pid: number, name: string): string | null {
  return environOf(pid)?.[name] ?? null
}

/** The environment with which a process was started; null where it is not ours to look into. */
export function environOf(pid: number): Readonly<Record<string, string>> | null {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return Object.fromEntries(pairs.flatMap((pair) => (pair.includes('=') ? [splitPair(pair)] : [])))
  } catch {
    // Gone, or another user's.
    return null
  }
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function listeningInodes(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1)
  const fields = rows.map((row) => row.trim().split(/\s+/))
  // Columns: number, local address, remote address, state (0A is listening), …, inode.
  return new Set(
    fields.filter(([, local = '', , state]) => local.endsWith(suffix) && state === '0A').map((row) => row[9] ?? ''),
  )
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
      return inode !== undefined && inodes.has(inode)
    })
  } catch {
    // Another user's process, or one that just ended.
    return false
  }
}

function commandOf(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((word) => word !== '')
  return visibleLine(words.join(' ').slice(0, 120))
}
