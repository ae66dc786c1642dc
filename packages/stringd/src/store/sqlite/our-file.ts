import { closeSync, openSync, readSync } from 'node:fs'
import { type Connection, damageError } from './connection.ts'
import { TABLES } from './schema.ts'
import { sealedRows } from './sealed-row.ts'

/** Where SQLite says which formats a file has; with another number than these it can only be read, or not even that. */
const FORMATS_AT = 18
const FORMATS = [1, 2]

/** Asked before the file is open: closing it once more would let go of SQLite's locks on it. */
export function checkFormats(path: string): void {
  const formats = new Uint8Array(2)
  const file = openSync(path, 'a+', 0o600)
  try {
    const isThere = readSync(file, formats, 0, formats.length, FORMATS_AT) > 0
    if (isThere && !formats.every((format) => FORMATS.includes(format))) throw damageError('Unknown format of the file')
  } finally {
    closeSync(file)
  }
}

/** Asks for every column that we use. */
export function checkTables(connection: Connection): void {
  for (const table of TABLES) sealedRows(connection, table, 'LIMIT 0')
  connection.select(['found_at', 'table_name', 'row'], 'FROM damaged_rows LIMIT 0')
}
