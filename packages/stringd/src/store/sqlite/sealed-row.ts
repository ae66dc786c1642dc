import { crc32 } from 'node:zlib'
import type { Connection, Row } from './connection.ts'
import type { ColumnValue } from './value.ts'

/** A table whose rows carry a checksum over these columns. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** What is new in the present version: a file of an earlier one has not got these columns, and no checksum over them. */
  readonly added?: Row
}

/** Stores a row with its checksum, in place of one that has the same key. */
export function putRow(connection: Connection, table: Table, row: Row): void {
  const values = table.columns.map((column) => row[column] ?? null)
  connection.run(insertText(table), ...values, checksum(values))
}

/** Stores a row with its checksum; one that has the same key is an error. */
export function addRow(connection: Connection, table: Table, row: Row): void {
  const values = table.columns.map((column) => row[column] ?? null)
  connection.run(insertText(table).replace('INSERT OR REPLACE', 'INSERT'), ...values, checksum(values))
}

/** Rows of a table, `isWhole` or not, with what `isWhole` and `setRowAside` ask of them. */
export function sealedRows(connection: Connection, table: Table, rest: string, ...values: ColumnValue[]): Row[] {
  return connection.select(['rowid', ...table.columns, 'checksum'], `FROM ${table.name} ${rest}`, ...values)
}

/** Gives a stored row the checksum that it has as a row of this table. */
export function sealRowAgain(connection: Connection, { name, columns }: Table, row: Row): void {
  const values = columns.map((column) => row[column] ?? null)
  connection.run(`UPDATE ${name} SET checksum = ? WHERE rowid = ?`, checksum(values), row.rowid ?? null)
}

/** How many rows a query finds, whole or not; counted up to `limit`. */
export function countRows(
  connection: Connection,
  { name }: Table,
  limit: number,
  rest: string,
  ...values: ColumnValue[]
): number {
  const [row] = connection.select(['count(*)'], `FROM (SELECT 1 FROM ${name} ${rest} LIMIT ?)`, ...values, limit)
  return Number(row?.['count(*)'] ?? 0)
}

/** Whether a row is as it was stored. */
export function isWhole(table: Table, row: Row): boolean {
  return checksum(table.columns.map((column) => row[column] ?? null)) === row.checksum
}

/** Takes a damaged row out of its table; what is left of it is kept. */
export function setRowAside(connection: Connection, { name }: Table, row: Row, foundAt: string): void {
  const shown = Object.entries(row).map(([column, value]) => [column, shownValue(value)])
  const text = JSON.stringify(Object.fromEntries(shown))
  connection.run('INSERT INTO damaged_rows VALUES (?, ?, ?)', foundAt, name, text)
  connection.run(`DELETE FROM ${name} WHERE rowid = ?`, row.rowid ?? null)
}

function shownValue(value: ColumnValue): ColumnValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'bigint' ? String(value) : value
}

const INSERT_TEXTS = new WeakMap<Table, string>()

function insertText(table: Table): string {
  const known = INSERT_TEXTS.get(table)
  if (known !== undefined) return known
  const { name, columns } = table
  const text = `INSERT OR REPLACE INTO ${name} (${columns.join(', ')}, checksum) VALUES (${columns.map(() => '?').join(', ')}, ?)`
  INSERT_TEXTS.set(table, text)
  return text
}

function checksum(values: readonly ColumnValue[]): number {
  return crc32(JSON.stringify(values.map(sealedValue)))
}

function sealedValue(value: ColumnValue): ColumnValue {
  if (value instanceof Uint8Array) return crc32(value)
  // None is ever stored, but damage can look like one.
  return typeof value === 'bigint' ? String(value) : value
}
