import { closeSync, openSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Owner, OwnerSearch, type Peer } from './socket-table.ts'

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
  const first = searchSync(tcp, new OwnerSearch('v4', peers))
  if (first.isOver || tcp6 === null) return first.ownersOf(peers)
  return either(first.ownersOf(peers), searchSync(tcp6, new OwnerSearch('v6', peers)).ownersOf(peers))
}

/** The same without a thread of our own. */
export async function lookAsync({ tcp, tcp6 }: Tables, peers: readonly Peer[]): Promise<readonly Owner[]> {
  const first = await searchAsync(tcp, new OwnerSearch('v4', peers))
  if (first.isOver || tcp6 === null) return first.ownersOf(peers)
  return either(first.ownersOf(peers), (await searchAsync(tcp6, new OwnerSearch('v6', peers))).ownersOf(peers))
}

function either(first: readonly Owner[], second: readonly Owner[]): readonly Owner[] {
  return first.map((owner, index) => (owner === 'unknown' ? (second[index] ?? 'unknown') : owner))
}

/** From the beginning of a table, in as many pieces as the kernel makes of it. */
function searchSync(fd: number, search: OwnerSearch): OwnerSearch {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = 0; !search.isOver; ) {
    const bytes = readSync(fd, buffer, 0, CHUNK_BYTES, at)
    if (bytes === 0) break
    search.push(buffer.toString('latin1', 0, bytes))
    at += bytes
  }
  return search
}

const readPiece = promisify(read)

async function searchAsync(fd: number, search: OwnerSearch): Promise<OwnerSearch> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let at = 0; !search.isOver; ) {
    const { bytesRead } = await readPiece(fd, buffer, 0, CHUNK_BYTES, at)
    if (bytesRead === 0) break
    search.push(buffer.toString('latin1', 0, bytesRead))
    at += bytesRead
  }
  return search
}
