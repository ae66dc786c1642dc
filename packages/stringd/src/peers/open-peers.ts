import type { Log } from '../log.ts'
import { openTables } from './look.ts'
import { createLooker } from './looker.ts'
import { createPeers, EVERYONE, type Peers } from './peers.ts'

export interface OpenPeersOptions {
  readonly key: string
  /** Users that are served beside the one who runs the daemon. */
  readonly allowUids: readonly number[]
  readonly log: Log
}

/** Only this user and those that are listed, where the system can tell users apart. */
export function openPeers({ key, allowUids, log }: OpenPeersOptions): Peers {
  const own = process.getuid?.()
  const tables = own === undefined ? null : openTables()
  if (own === undefined || tables === null) {
    log.warn('This system does not tell whose a connection is: programs of other users are served too')
    return EVERYONE
  }
  return createPeers({ key, uids: new Set([own, ...allowUids]), looker: createLooker(tables), log })
}
