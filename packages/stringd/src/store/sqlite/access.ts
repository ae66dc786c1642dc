import type { Connection, Row } from './connection.ts'
import type { Table } from './sealed-row.ts'
import type { ColumnValue } from './value.ts'

/** How a group reaches its rows: each write a transaction of its own, or all as parts of one. */
export interface Access {
  /** The whole rows that a query finds: `rest` is what follows `FROM table`. */
  rows(table: Table, rest: string, ...values: ColumnValue[]): Row[]
  /** Some columns of the rows that a query finds, whole or not: to choose by, where reading all would take long. */
  peek(table: Table, columns: readonly string[], rest: string, ...values: ColumnValue[]): Row[]
  /** How many rows a query finds, whole or not; counted up to `limit`. */
  count(table: Table, limit: number, rest: string, ...values: ColumnValue[]): number
  /**
   * `change` may run again when another one, with which it shares a transaction, is wrong. `stored` is called with what it
   * answered when that is on the disk, before whoever waits for the promise.
   */
  write<T>(change: (connection: Connection) => T, stored?: (value: T) => void): Promise<T>
}
