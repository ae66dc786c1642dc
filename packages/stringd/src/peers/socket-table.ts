import { endianness } from 'node:os'

/** The other end of a connection to us, as the tables of IPv4 and IPv6 sockets spell both of its ends. */
export interface Peer {
  readonly v4: string
  readonly v6: string
}

/** A connection as the daemon's own socket knows it. */
export interface Connected {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

/** The user who has the socket; `nobody` when no process has it any more, `unknown` when it is not in the table. */
export type Owner = number | 'nobody' | 'unknown'

/** Digits of both addresses and ports, with what stands between. */
export const WIDTH = { v4: 27, v6: 75 } as const

const CONNECTING = '02'

/**
 * Both addresses and both ports: the same two ports may be those of another connection, from 127.0.0.2 or to another
 * machine. Null for a connection that is gone.
 */
export function peerOf({ remoteAddress, remotePort, localAddress, localPort }: Connected): Peer | null {
  const there = end(remoteAddress, remotePort)
  const here = end(localAddress, localPort)
  if (there === null || here === null) return null
  return { v4: `${there} ${here}`, v6: `${MAPPED}${there} ${MAPPED}${here}` }
}

/** The table prints words of memory as numbers, so how they read depends on the machine. */
const isLittle = endianness() === 'LE'
const MAPPED = `${'0'.repeat(16)}${isLittle ? 'FFFF0000' : '0000FFFF'}`

function end(address: string | undefined, port: number | undefined): string | null {
  const parts = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address ?? '')?.slice(1)
  if (parts === undefined || port === undefined) return null
  const bytes = parts.map((part) => hex(Number(part), 2))
  return `${(isLittle ? bytes.reverse() : bytes).join('')}:${hex(port, 4)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}

/** Finds the rows of the wanted sockets (`LOCAL:PORT REMOTE:PORT`, `width` characters) and whose they are. */
export function findOwners(table: string, width: number, wanted: ReadonlySet<string>): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (let start = table.indexOf('\n') + 1; start > 0 && start < table.length; start = table.indexOf('\n', start) + 1) {
    const at = table.indexOf(': ', start) + 2
    const key = table.slice(at, at + width)
    if (!wanted.has(key)) continue
    const owner = ownerIn(table.slice(at + width, at + width + ROW_REST))
    // Seen twice while sockets come and go: what nobody has is nobody's.
    owners.set(key, owners.get(key) === 'nobody' ? 'nobody' : owner)
  }
  return owners
}

/** Longer than all columns up to the inode. */
const ROW_REST = 120

/** State, queues, timer, retransmissions, user, timeout, inode. One that still connects is not who sent us something. */
function ownerIn(columns: string): Owner {
  const [state, , , , uid = '', , inode = '0'] = columns.trim().split(/\s+/)
  return inode === '0' || state === CONNECTING || !/^\d+$/.test(uid) ? 'nobody' : Number(uid)
}
