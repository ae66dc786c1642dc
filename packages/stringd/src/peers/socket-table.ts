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
const WIDTH = { v4: 27, v6: 75 } as const

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

/** Finds the rows of the wanted sockets in a table that comes in pieces, and whose they are. */
export class OwnerSearch {
  readonly owners = new Map<string, Owner>()
  readonly #family: 'v4' | 'v6'
  readonly #wanted: ReadonlySet<string>
  /** Of a row whose end has not come. */
  #start = ''

  constructor(family: 'v4' | 'v6', peers: readonly Peer[]) {
    this.#family = family
    this.#wanted = new Set(peers.map((peer) => peer[family]))
  }

  /** All have been found: the rest of the table need not be read. */
  get isOver(): boolean {
    return this.owners.size === this.#wanted.size
  }

  push(piece: string): void {
    const text = this.#start + piece
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#read(text, start, end)
      start = end + 1
    }
    this.#start = text.slice(start)
  }

  /** The owner of each, in the order of the peers. */
  ownersOf(peers: readonly Peer[]): readonly Owner[] {
    return peers.map((peer) => this.owners.get(peer[this.#family]) ?? 'unknown')
  }

  #read(text: string, start: number, end: number): void {
    const at = text.indexOf(': ', start) + 2
    const rest = at + WIDTH[this.#family]
    const key = text.slice(at, rest)
    // The head of the table has no number in front, so that the one found is that of a later row.
    if (rest <= end && this.#wanted.has(key)) this.owners.set(key, ownerIn(text.slice(rest, end)))
  }
}

/** State, queues, timer, retransmissions, user, timeout, inode. One that still connects is not who sent us something. */
function ownerIn(columns: string): Owner {
  const [state, , , , uid = '', , inode = '0'] = columns.trim().split(/\s+/)
  return inode === '0' || state === CONNECTING || !/^\d+$/.test(uid) ? 'nobody' : Number(uid)
}
