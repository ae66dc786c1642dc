import { existsSync, renameSync, rmSync } from 'node:fs'
import { asideName } from '../odd-file.ts'
import { Connection, isDamage, isMistake, isUnreadable, type Row } from './connection.ts'
import { earlierTable, migrate, TABLES } from './schema.ts'
import { isWhole, putRow, sealedRows, type Table } from './sealed-row.ts'

export interface Salvage {
  readonly aside: string
  readonly kept: number
  /** At least so many rows were unreadable, or not what was stored; null where not even its list of tables can be read. */
  readonly lost: number | null
}

/**
 * Keeps a damaged file aside and makes a new one with every row of it that reads and checks. Where it is open still,
 * that connection reads more of it than a new one could, and is closed then.
 */
export function salvage(path: string, open?: Connection): Salvage {
  const aside = setAside(path)
  const fresh = `${path}.salvage`
  for (const suffix of ['', '-wal', '-shm']) rmSync(fresh + suffix, { force: true })
  const target = new Connection(fresh)
  target.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL')
  migrate(target)
  const counts = copyAll(open ?? openDamaged(aside), target)
  target.close()
  renameSync(fresh, path)
  return { aside, ...counts }
}

function setAside(path: string): string {
  const aside = asideName(path)
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return aside
}

function copyAll(source: Connection | null, target: Connection): Pick<Salvage, 'kept' | 'lost'> {
  if (source === null) return { kept: 0, lost: null }
  const counts = { kept: 0, lost: 0 }
  target.exec('BEGIN')
  for (const table of TABLES) {
    const found = tableIn(source, table)
    for (const row of rowsOf(source, found)) {
      if (row !== null && isWhole(found, row)) {
        putRow(target, table, { ...table.added, ...row })
        counts.kept += 1
      } else counts.lost += 1
    }
  }
  target.exec('COMMIT')
  source.close()
  return counts
}

/** The table as this file has it, which may be of an earlier version. */
function tableIn(source: Connection, table: Table): Table {
  try {
    sealedRows(source, table, 'LIMIT 0')
    return table
  } catch (error) {
    return isMistake(error) ? earlierTable(table) : table
  }
}

function openDamaged(path: string): Connection | null {
  const connection = new Connection(path)
  if (hasTables(connection)) return connection
  connection.close()
  return null
}

/** Whether its list of tables can be read: without that nothing in it can be found. */
export function hasTables(connection: Connection): boolean {
  try {
    connection.select(['count(*)'], 'FROM sqlite_schema')
    return true
  } catch (error) {
    if (!isDamage(error) && !isMistake(error)) throw error
    return false
  }
}

/** Every row that can be reached, by its number; null for a place where none could be read. */
function* rowsOf(source: Connection, table: Table): Generator<Row | null> {
  // The number of a damaged row may be anything.
  let at = 0n
  let unread = 0
  // Behind a thousand unreadable rows the steps double, so that the end comes soon wherever it is.
  while (unread < 1_040) {
    const row = rowAfter(source, table, at)
    if (row === undefined) return
    if (row === null) {
      at += unread < 1_000 ? 1n : 2n ** BigInt(unread - 1_000)
      unread += 1
      continue
    }
    for (; unread > 0; unread -= 1) yield null
    at = rowNumber(row)
    yield row
  }
  // How much stood there cannot be known.
  yield null
}

/** Undefined at the end of the table, null where a damaged page stands in the way. */
function rowAfter(source: Connection, table: Table, rowid: bigint): Row | null | undefined {
  try {
    const [row] = sealedRows(source, table, 'WHERE rowid > ? ORDER BY rowid LIMIT 1', rowid)
    return row === undefined || rowNumber(row) > rowid ? row : null
  } catch (error) {
    // A table that is not in the file any more has no rows.
    return isUnreadable(error) ? null : undefined
  }
}

function rowNumber({ rowid }: Row): bigint {
  return typeof rowid === 'bigint' || typeof rowid === 'number' ? BigInt(rowid) : 0n
}
