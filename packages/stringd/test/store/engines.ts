import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import SqliteDatabase from 'libsql'
import { onTestFinished } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../test/support/postgres.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { openPostgres } from '../../src/store/postgres/postgres-store.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

/** A store that is empty, and what one can do to it from outside. */
export interface Opened {
  readonly store: Store
  /** The same store again, after this one was closed. */
  readonly reopen: () => Promise<Store>
  /** Another daemon at the same store; null where there can be but one. */
  readonly second: (() => Promise<Store>) | null
  /** All claims that there are have run out. */
  readonly passLeases: () => Promise<void>
  /** As if a String had written it that does not exist yet. */
  readonly makeNewer: () => Promise<void>
}

export interface Engine {
  readonly name: Store['kind']
  readonly isHere: boolean
  /** Called once in a test file. */
  readonly prepare: () => () => Promise<Opened>
}

export const silent = createLog(() => undefined)

const postgres: Engine = {
  name: 'postgres',
  isHere: hasPostgres,
  prepare: () => {
    const server = postgresServer()
    return async () => {
      const database = await server.database()
      const open = async (): Promise<Store> => {
        const onFatal = (error: Error): never => {
          throw error
        }
        return closedAfter(await openPostgres(server.url(database), { log: silent, onFatal }))
      }
      return {
        store: await open(),
        reopen: open,
        second: open,
        passLeases: async () => {
          await server.sql("UPDATE string.deliveries SET lease_until = now() - interval '1 ms'", database)
        },
        makeNewer: async () => {
          await server.sql('UPDATE string.version SET version = 999', database)
        },
      }
    }
  },
}

const sqlite: Engine = {
  name: 'sqlite',
  isHere: true,
  prepare: () => async () => {
    const path = join(tempDir(), 'state.db')
    let passedMs = 0
    const now = (): number => Date.now() + passedMs
    const open = async (): Promise<Store> => closedAfter(openSqlite(path, { log: silent, now }))
    return {
      store: await open(),
      reopen: open,
      second: null,
      passLeases: async () => {
        passedMs += LIMITS.leaseMs
      },
      makeNewer: async () => {
        const database = new SqliteDatabase(path)
        database.exec('PRAGMA user_version = 999')
        database.close()
      },
    }
  },
}

export const ENGINES: readonly Engine[] = [sqlite, postgres]

export function closedAfter(store: Store): Store {
  onTestFinished(() => store.close())
  return store
}
