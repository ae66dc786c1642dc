import { crc32 } from 'node:zlib'
import type { Connection, Row, Value } from './connection.ts'
import { TABLES, type Table } from './schema.ts'

/** Stores a row with its checksum, in place of one that has the same key. */
export function putRow(connection: Connection, table: Table, row: Row): void {
  const values = table.columns.map((column) => row[column] ?? null)
  connection.run(INSERT_TEXTS.get(table) ?? insertText(table), ...values, checksum(values))
}

/** Whether a row is as it was stored. */
export function isWhole(table: Table, row: Row): boolean {
  return checksum(table.columns.map((column) => row[column] ?? null)) === row.checksum
}

/** Takes a damaged row out of its table; what is left of it is kept. */
export function setRowAside(connection: Connection, { name }: Table, row: Row, foundAt: string): void {
  const text = JSON.stringify(row, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
  connection.run('INSERT INTO damaged_rows VALUES (?, ?, ?)', foundAt, name, text)
  connection.run(`DELETE FROM ${name} WHERE rowid = ?`, row.rowid ?? null)
}

const INSERT_TEXTS = new Map(TABLES.map((table) => [table, insertText(table)]))

function insertText({ name, columns }: Table): string {
  return `INSERT OR REPLACE INTO ${name} (${columns.join(', ')}, checksum) VALUES (${columns.map(() => '?').join(', ')}, ?)`
}

function checksum(values: readonly Value[]): number {
  const texts = values.map((value) => (value instanceof Uint8Array ? crc32(value) : value))
  return crc32(JSON.stringify(texts))
}
