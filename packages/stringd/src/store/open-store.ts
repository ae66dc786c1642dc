import { join } from 'node:path'
import type { Log } from '../log.ts'
import { openSqlite } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'
import type { StoreName } from './store-name.ts'

/** The one database, in the data folder. */
export const DATABASE = 'state.db'

/** Opens a store by its name. */
export async function openStore(name: StoreName, log: Log): Promise<Store> {
  if (name.kind === 'sqlite') return openSqlite(join(name.folder, DATABASE), { log })
  throw new Error('Not yet')
}
