import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { count, LIMITS } from '@string-os/protocol'
import type { Log } from '../../log.ts'
import { ensurePrivateDir } from '../private-dir.ts'
import { RESTORE } from '../restore.ts'
import type { Access } from './access.ts'
import { Connection, damageError, isDamage, isMistake, isUnreadable, type Row } from './connection.ts'
import { areIntact, type FilesSeen, lookAtFiles, replaceDatabase } from './files-seen.ts'
import { GroupCommit } from './group-commit.ts'
import { checkFormats, checkTables } from './our-file.ts'
import { salvage } from './salvage.ts'
import { migrate, TABLES } from './schema.ts'
import { countRows, isWhole, sealedRows, setRowAside, type Table } from './sealed-row.ts'
import type { ColumnValue } from './value.ts'
import { WrittenLog } from './written-log.ts'

/**
 * What must be durable and queried: one SQLite file, which only the daemon opens. A write that resolves is on the disk.
 * Rows that are not what was stored are set aside and never served; a file that SQLite cannot read is salvaged.
 */
export class Database implements Access {
  readonly #path: string
  readonly #log: Log
  readonly #commits: GroupCommit
  #connection: Connection
  #written: WrittenLog
  #seen: FilesSeen
  #isClosed = false

  constructor(path: string, log: Log) {
    this.#path = path
    this.#log = log
    this.#connection = openWhole(path, log)
    this.#written = writtenLog(path, this.#connection)
    this.#seen = lookAtFiles(path)
    this.#commits = new GroupCommit(
      () => this.#present(),
      () => this.#written.sync(),
      (error) => this.#mend(error),
    )
  }

  /** Runs with what else is written now, as one transaction. */
  write<T>(change: (connection: Connection) => T | Promise<T>, stored?: (value: T) => void): Promise<T> {
    return this.#commits.write(change, stored)
  }

  rows(table: Table, rest: string, ...values: ColumnValue[]): Row[] {
    const rows = this.#reading((connection) => sealedRows(connection, table, rest, ...values))
    const whole = rows.filter((row) => isWhole(table, row))
    if (whole.length < rows.length) this.#setAside(table, rows)
    return whole
  }

  peek({ name }: Table, columns: readonly string[], rest: string, ...values: ColumnValue[]): Row[] {
    return this.#reading((connection) => connection.select(columns, `FROM ${name} ${rest}`, ...values))
  }

  count(table: Table, limit: number, rest: string, ...values: ColumnValue[]): number {
    return this.#reading((connection) => countRows(connection, table, limit, rest, ...values))
  }

  /** Writes what waits, and gives the file back. */
  async close(): Promise<void> {
    await this.#commits.flush()
    this.#isClosed = true
    this.#written.close()
    this.#connection.close()
  }

  #reading<T>(query: (connection: Connection) => T): T {
    this.#reopen()
    try {
      return query(this.#connection)
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#mend(error)
      return query(this.#connection)
    }
  }

  #setAside(table: Table, rows: readonly Row[]): void {
    const damaged = rows.filter((row) => !isWhole(table, row))
    this.#log.error(`${damaged.length} damaged rows of ${table.name} were set aside`, { file: this.#path })
    void this.write((connection) => setRowsAside(connection, table, damaged)).catch(() => {
      // They are not served anyway, and the next reader tries again.
    })
  }

  /** The files may have been removed, replaced or cut under us; what would be written then would be gone. */
  #present(): Connection {
    this.#reopen()
    const seen = lookAtFiles(this.#path)
    if (areIntact(this.#seen, seen)) {
      this.#seen = seen
      return this.#connection
    }
    try {
      this.#writeAgain()
    } catch (error) {
      if (!isUnreadable(error)) throw error
      this.#use(salvaged(this.#path, this.#log, this.#connection))
    }
    return this.#connection
  }

  #writeAgain(): void {
    ensurePrivateDir(dirname(this.#path))
    const fresh = `${this.#path}.rescue`
    rmSync(fresh, { force: true })
    this.#connection.run('VACUUM INTO ?', fresh)
    // As long as this fails, the old connection is all that holds what was stored.
    replaceDatabase(this.#path, fresh)
    this.#connection.close()
    this.#use(openWhole(this.#path, this.#log))
    this.#log.warn(`${this.#path} was removed or changed by another hand; all of it was written again`)
  }

  /** Whoever waits hears of the damage itself; what mending runs into is for the log, and tried again. */
  #mend(error: unknown): void {
    if (!isDamage(error)) return
    try {
      this.#use(salvaged(this.#path, this.#log, this.#connection))
    } catch (cause) {
      this.#log.error(`${this.#path} could not be mended`, { cause: String(cause) })
    }
  }

  /** After damage that could not be mended at once. */
  #reopen(): void {
    if (this.#isClosed) throw new Error(`${this.#path} is closed`)
    if (!this.#connection.isOpen) this.#use(openWhole(this.#path, this.#log))
  }

  #use(connection: Connection): void {
    this.#written.close()
    this.#connection = connection
    this.#written = writtenLog(this.#path, connection)
    this.#seen = lookAtFiles(this.#path)
  }
}

/** From then on each commit is synced where it is made; SQLite goes on to sync what it moves from the log into the file. */
function writtenLog(path: string, connection: Connection): WrittenLog {
  connection.exec('PRAGMA synchronous = NORMAL')
  return new WrittenLog(path)
}

/** Opens a file that is whole, be it because it was salvaged. */
export function openWhole(path: string, log: Log): Connection {
  try {
    return openChecked(path, log)
  } catch (error) {
    if (!isDamage(error)) throw error
    return salvaged(path, log)
  }
}

function salvaged(path: string, log: Log, open?: Connection): Connection {
  const { aside, kept, lost } = salvage(path, open)
  const saved = `${count(kept, 'row')} ${kept === 1 ? 'was' : 'were'} saved, ${lostText(lost)}; it is kept as ${aside}`
  log.error(`${path} was damaged: ${saved}; ${RESTORE} puts a backup in its place`)
  return openChecked(path, log)
}

function lostText(lost: number | null): string {
  if (lost === null) return 'how many are lost cannot be told'
  return lost === 0 ? 'none is known to be lost' : `at least ${lost} ${lost === 1 ? 'is' : 'are'} lost`
}

function openChecked(path: string, log: Log): Connection {
  checkFormats(path)
  const connection = new Connection(path)
  try {
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000')
    migrate(connection)
    checkTables(connection)
    if (statSync(path).size <= LIMITS.databaseCheckBytes) check(connection, log)
    return connection
  } catch (error) {
    connection.close()
    // What we ask of a file that we made is never a mistake.
    throw isMistake(error) ? damageError(String(error)) : error
  }
}

function check(connection: Connection, log: Log): void {
  const [{ integrity_check: state = '' } = {}] = connection.select(
    ['integrity_check'],
    'FROM pragma_integrity_check(1)',
  )
  if (state !== 'ok') throw damageError(String(state))
  for (const table of TABLES) {
    const damaged = damagedRows(connection, table)
    if (damaged.length === 0) continue
    setRowsAside(connection, table, damaged)
    log.error(`${damaged.length} damaged rows of ${table.name} were set aside`, { file: connection.path })
  }
}

function damagedRows(connection: Connection, table: Table): Row[] {
  const damaged: Row[] = []
  const rest = 'WHERE rowid > ? ORDER BY rowid LIMIT 200'
  let rows = sealedRows(connection, table, rest, 0)
  while (rows.length > 0) {
    damaged.push(...rows.filter((row) => !isWhole(table, row)))
    rows = sealedRows(connection, table, rest, rows.at(-1)?.rowid ?? 0)
  }
  return damaged
}

function setRowsAside(connection: Connection, table: Table, rows: readonly Row[]): void {
  const foundAt = new Date().toISOString()
  for (const row of rows) setRowAside(connection, table, row, foundAt)
}
