import { readFileSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'

/** The port of a daemon that nobody named: `STRING_PORT`, else the usual one. `isFound`: the daemon's own record will tell. */
export function defaultPort(isFound: boolean): number {
  const said = process.env.STRING_PORT ?? ''
  const named = Number(said)
  if (said !== '' && Number.isInteger(named) && named > 0 && named <= 65_535) return named
  if (said === '' || isFound) return LIMITS.defaultPort
  throw new TypeError(`STRING_PORT must be a whole number from 1 to 65535, not ${JSON.stringify(said)}`)
}

/** How the command line may be called, the usual name first: what `STRING` says, else what is installed. */
export function programNames(): readonly string[] {
  const named = process.env.STRING ?? ''
  return named === '' ? ['string', 'strg'] : [named]
}

/** Where a listener on a port can be reached through 127.0.0.1, the one that the system prefers first. */
const LOCAL = ['0100007F', '00000000', '0000000000000000FFFF00000100007F', '00000000000000000000000000000000']
const LISTENING = '0A'

/** The user whose program listens on a port of 127.0.0.1; null where the system does not tell. */
export function listenerUid(port: number): number | null {
  const suffix = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(readRows)
  for (const address of LOCAL) {
    // Columns: number, local address, remote address, state, queues, timer, retransmissions, user.
    const row = rows.find(([, local, , state]) => state === LISTENING && local === `${address}:${suffix}`)
    if (row !== undefined) return Number(row[7])
  }
  return null
}

function readRows(path: string): string[][] {
  try {
    const [, ...lines] = readFileSync(path, 'latin1').split('\n')
    return lines.map((line) => line.trim().split(/\s+/))
  } catch {
    // Not a Linux.
    return []
  }
}
