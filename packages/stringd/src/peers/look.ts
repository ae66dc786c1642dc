import { closeSync, openSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { findOwners, type Owner, type Peer, WIDTH } from './socket-table.ts'

/** The system's tables of sockets, open: when descriptors run out, they can still be read. */
export interface Tables {
  readonly tcp: number
  /** Null where there is no IPv6. */
  readonly tcp6: number | null
}

const CHUNK_BYTES = 64 * 1024

/** Null where the system has no such tables. */
export function openTables(): Tables | null {
  const tcp = openTable('/proc/net/tcp')
  return tcp === null ? null : { tcp, tcp6: openTable('/proc/net/tcp6') }
}

function openTable(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function closeTables({ tcp, tcp6 }: Tables): void {
  closeSync(tcp)
  if (tcp6 !== null) closeSync(tcp6)
}

/**
 * Whose the peers are, in their order. The table of IPv6 is read when somebody is not in the first one. The kernel goes over
 * every place of its tables for that, which takes longer than a request: it is for a thread of its own.
 */
export function lookSync({ tcp, tcp6 }: Tables, peers: readonly Peer[]): readonly Owner[] {
  const owners = inTable(readTable(tcp), 'v4', peers)
  if (tcp6 === null || !owners.includes('unknown')) return owners
  return either(owners, inTable(readTable(tcp6), 'v6', peers))
}

/** The same without a thread of our own. */
export async function lookAsync({ tcp, tcp6 }: Tables, peers: readonly Peer[]): Promise<readonly Owner[]> {
  const owners = inTable(await readTableAsync(tcp), 'v4', peers)
  if (tcp6 === null || !owners.includes('unknown')) return owners
  return either(owners, inTable(await readTableAsync(tcp6), 'v6', peers))
}

function inTable(table: string, family: 'v4' | 'v6', peers: readonly Peer[]): readonly Owner[] {
  const owners = findOwners(table, WIDTH[family], new Set(peers.map((peer) => peer[family])))
  return peers.map((peer) => owners.get(peer[family]) ?? 'unknown')
}

function either(first: readonly Owner[], second: readonly Owner[]): readonly Owner[] {
  return first.map((owner, index) => (owner === 'unknown' ? (second[index] ?? 'unknown') : owner))
}

/** From its beginning, in as many pieces as the kernel makes of it. */
function readTable(fd: number): string {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let text = ''
  for (let at = 0; ; ) {
    const bytes = readSync(fd, buffer, 0, CHUNK_BYTES, at)
    if (bytes === 0) return text
    text += buffer.toString('latin1', 0, bytes)
    at += bytes
  }
}

const readPiece = promisify(read)

async function readTableAsync(fd: number): Promise<string> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let text = ''
  for (let at = 0; ; ) {
    const { bytesRead } = await readPiece(fd, buffer, 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return text
    text += buffer.toString('latin1', 0, bytesRead)
    at += bytesRead
  }
}
