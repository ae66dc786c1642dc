import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { PostgresServer } from '../../../../test/support/postgres.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import type { Archive } from '../../src/store/archive.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openPostgresArchive } from '../../src/store/postgres/archive.ts'
import { openSqliteArchive } from '../../src/store/sqlite/archive.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoreName } from '../../src/store/store-name.ts'
import { closedAfter, silent } from './engines.ts'

/** A store that nobody has opened yet. */
export interface StorePlace {
  readonly kind: Store['kind']
  readonly open: () => Promise<Store>
  readonly archive: () => Promise<Archive>
  /** The file, or the database. */
  readonly at: string
}

export function sqlitePlace(notes: string[] = []): StorePlace {
  const folder = tempDir()
  const at = join(folder, 'state.db')
  return placeOf({ kind: 'sqlite', folder }, at, async () => openSqliteArchive(at, (note) => void notes.push(note)))
}

export async function postgresPlace(server: PostgresServer): Promise<StorePlace> {
  const at = await server.database()
  const url = server.url(at)
  return placeOf({ kind: 'postgres', url }, at, () => openPostgresArchive(url))
}

function placeOf(name: StoreName, at: string, archive: () => Promise<Archive>): StorePlace {
  const onFatal = (error: Error): never => {
    throw error
  }
  return {
    kind: name.kind,
    at,
    open: async () => closedAfter(await openStore(name, { log: silent, nodeId: 'n', onFatal })),
    archive: async () => {
      const opened = await archive()
      onTestFinished(() => opened.close())
      return opened
    },
  }
}
