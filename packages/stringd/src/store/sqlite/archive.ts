import { LIMITS } from '@string-os/protocol'
import type { Log } from '../../log.ts'
import {
  type Archive,
  type ArchivePage,
  type ArchiveRow,
  type ArchiveTable,
  type ArchiveType,
  type ArchiveValue,
  largeColumns,
  rowsOfPage,
} from '../archive.ts'
import { COPY_PROGRESS, LAST_ID } from '../own-marks.ts'
import { StoreRefused } from '../refused.ts'
import type { Connection, Row } from './connection.ts'
import { openWhole } from './database.ts'
import { putMark } from './marks.ts'
import { EVENTS, MARKS, TABLES } from './schema.ts'
import { addRow, countRows, isWhole, sealedRows, type Table } from './sealed-row.ts'
import type { ColumnValue } from './value.ts'

/** Opens the file as a daemon does: brought up to date, and salvaged where it is damaged, of which `onNote` hears. */
export function openSqliteArchive(path: string, onNote: (text: string) => void): Archive {
  const silent = (): void => undefined
  const log: Log = { debug: silent, info: silent, warn: onNote, error: onNote }
  return new SqliteArchive(path, openWhole(path, log))
}

/** What an open file holds. */
export class SqliteArchive implements Archive {
  readonly where: string
  readonly #connection: Connection

  constructor(path: string, connection: Connection) {
    this.where = path
    this.#connection = connection
  }

  count = async ({ name }: ArchiveTable): Promise<number> =>
    countRows(this.#connection, tableOf(name), Number.MAX_SAFE_INTEGER, '')

  /** In the order of the numbers of rows, which is that in which they were stored. */
  page = async (table: ArchiveTable, from: string | null): Promise<ArchivePage> => {
    const stored = tableOf(table.name)
    const after = BigInt(from ?? 0)
    const rows = sealedRows(this.#connection, stored, NEXT, after, this.#rowsAfter(table, after))
    const last = rows.at(-1)?.rowid
    const whole = rows.filter((row) => isWhole(stored, row))
    return {
      rows: whole.map((row) => archived(table, row)),
      next: last === undefined ? null : String(last),
      damaged: rows.length - whole.length,
    }
  }

  add = async (table: ArchiveTable, rows: readonly ArchiveRow[], progress: string): Promise<void> =>
    this.#change((connection) => {
      for (const row of rows) addNew(connection, tableOf(table.name), stored(table, row))
      putMark(connection, COPY_PROGRESS, progress)
    })

  clear = async ({ name }: ArchiveTable, progress: string): Promise<void> =>
    this.#change((connection) => {
      connection.run(`DELETE FROM ${name}${name === MARKS.name ? ` WHERE name <> '${LAST_ID}'` : ''}`)
      putMark(connection, COPY_PROGRESS, progress)
    })

  progress = async (): Promise<string | null> => this.#mark(COPY_PROGRESS)

  lastEventId = async (): Promise<string> => {
    // What is damaged may look like any id.
    const rows = sealedRows(this.#connection, EVENTS, 'ORDER BY id DESC LIMIT 100')
    const last = String(rows.find((row) => isWhole(EVENTS, row))?.id ?? '')
    const mark = this.#mark(LAST_ID) ?? ''
    return mark > last ? mark : last
  }

  finish = async (lastEventId: string): Promise<void> => {
    const before = await this.lastEventId()
    this.#change((connection) => {
      if (lastEventId > before) putMark(connection, LAST_ID, lastEventId)
      connection.run('DELETE FROM marks WHERE name = ?', COPY_PROGRESS)
    })
  }

  countSetAside = async (): Promise<number> => {
    const [row] = this.#connection.select(['count(*)'], 'FROM damaged_rows')
    return Number(row?.['count(*)'] ?? 0)
  }

  close = async (): Promise<void> => this.#connection.close()

  #rowsAfter(table: ArchiveTable, after: bigint): number {
    const large = largeColumns(table)
    if (large.length === 0) return LIMITS.storeCopyRows
    const size = large.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
    const sizes = this.#connection.select([size], `FROM ${table.name} ${NEXT}`, after, LIMITS.storeCopyRows)
    return rowsOfPage(sizes.map((row) => Number(row[size])))
  }

  #mark(name: string): string | null {
    const [row] = sealedRows(this.#connection, MARKS, 'WHERE name = ?', name).filter((found) => isWhole(MARKS, found))
    return row === undefined ? null : String(row.value)
  }

  #change(change: (connection: Connection) => void): void {
    this.#connection.exec('BEGIN IMMEDIATE')
    try {
      change(this.#connection)
      this.#connection.exec('COMMIT')
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }
}

const NEXT = 'WHERE rowid > ? ORDER BY rowid LIMIT ?'

function tableOf(name: string): Table {
  const table = TABLES.find((each) => each.name === name)
  if (table === undefined) throw new Error(`SQLite has no table ${name}`)
  return table
}

/** Ids of events are one row of numbers here, whatever agent they are of. */
function addNew(connection: Connection, table: Table, row: Row): void {
  try {
    addRow(connection, table, row)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'))) throw error
    const next = 'acknowledge and remove one of them where it comes from'
    throw new StoreRefused(
      `${table.name} has ${String(row.id ?? row.key)} twice, and SQLite keeps one of each: ${next}`,
    )
  }
}

function archived({ columns }: ArchiveTable, row: Row): ArchiveRow {
  return Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, archivedValue(type, row[name])]))
}

function archivedValue(type: ArchiveType, value: ColumnValue = null): ArchiveValue {
  if (type === 'flag') return value === 1
  if (type === 'holder') return value === '' ? null : value
  if (type === 'moment') return value === 0 ? null : value
  return value
}

/** What only this engine keeps follows from the rest. */
function stored({ name, columns }: ArchiveTable, row: ArchiveRow): Row {
  const values = Object.entries(columns).map(([column, type]): [string, ColumnValue] => [
    column,
    storedValue(type, row[column]),
  ])
  const status = name === 'events' ? { status: row.acked_at === null ? 'pending' : 'acked' } : {}
  return { ...Object.fromEntries<ColumnValue>(values), ...status }
}

function storedValue(type: ArchiveType, value: ArchiveValue = null): ColumnValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value !== null) return value
  if (type === 'holder') return ''
  return type === 'moment' ? 0 : null
}
