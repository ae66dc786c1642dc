import { join } from 'node:path'
import type { Log } from '../log.ts'
import { ownDefault } from './own-default.ts'
import { COPY_PROGRESS, UNFINISHED_COPY } from './own-marks.ts'
import { StoreRefused } from './refused.ts'
import { openSqlite } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'
import type { StoreName } from './store-name.ts'

/** The one database, in the data folder. */
export const DATABASE = 'state.db'

export interface OpenOptions {
  readonly log: Log
  /** A database that could not be reached at first turns out to be one that can never be used. */
  readonly onFatal: (error: Error) => void
  /** Who opens it: each has an agent `default` of its own. */
  readonly nodeId: string
}

/** Opens a store by its name. One that can never be used is an error whose message is for a person; one that is away comes by itself. */
export async function openStore(name: StoreName, { log, onFatal, nodeId }: OpenOptions): Promise<Store> {
  if (name.kind === 'sqlite') return whole(openSqlite(join(name.folder, DATABASE), { log }))
  const { openPostgres } = await import('./postgres/index.ts')
  return ownDefault(await openPostgres(name.url, { log, onFatal }), nodeId)
}

async function whole(store: Store): Promise<Store> {
  if ((await store.marks.get(COPY_PROGRESS)) === null) return store
  await store.close()
  throw new StoreRefused(`${store.where}: ${UNFINISHED_COPY}`)
}
