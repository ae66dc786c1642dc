import { accessSync, chmodSync, closeSync, constants, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Libsql from 'libsql'
import { NUMBERED } from './sqlite-reason.ts'
import { type Statement, Statements } from './statements.ts'
import { type ColumnValue, cell, cellValue } from './value.ts'

export type Row = Readonly<Record<string, ColumnValue>>

/**
 * One open file, and the one place that knows the driver, which is not to be believed everywhere. A statement that is
 * used for rows in one call and for the first row or for a change in another gives rows of earlier values: each is for
 * one kind of call here.
 */
export class Connection {
  readonly path: string
  readonly #use: Use
  readonly #sql: Libsql.Database
  readonly #changes = new Statements()
  readonly #queries = new Statements()

  /**
   * Opens the file, and makes it when it is not there: for its owner only, whatever the umask. Who only looks at one that
   * is there cannot change it, and who copies one into another leaves it as it is.
   */
  constructor(path: string, use: Use = 'keep') {
    if (use === 'keep') makeOwn(path)
    this.path = path
    this.#use = use
    this.#sql = opened(path)
    if (use === 'look') this.#sql.exec('PRAGMA query_only = ON')
  }

  get isOpen(): boolean {
    return this.#sql.open
  }

  get inTransaction(): boolean {
    // Of a closed file the driver must not be asked: it would end the process.
    return this.#sql.open && this.#sql.inTransaction
  }

  exec(text: string): void {
    this.#sql.exec(text)
  }

  /** How many rows a statement changed. */
  run(text: string, ...values: ColumnValue[]): number {
    const prepare = (): Statement => this.#change(text)
    return this.#changes.use(text, values, prepare, (statement, given) => statement.run(given).changes)
  }

  /** The rows of `SELECT columns rest`, under the names of the columns. */
  select(columns: readonly string[], rest: string, ...values: ColumnValue[]): Row[] {
    const text = `SELECT ${columns.join(', ')} ${rest}`
    const prepare = (): Statement => this.#query(columns, rest)
    const rows = this.#queries.use(text, values, prepare, (statement, given) => statement.all(given))
    return rows.map((cells) => rowOf(columns, cells))
  }

  close(): void {
    this.#changes.clear()
    this.#queries.clear()
    // Statements that the driver has not let go of would keep it from doing this by itself.
    if (this.#use === 'keep' && this.#sql.open && !this.#sql.inTransaction) this.#checkpoint()
    this.#sql.close()
  }

  #checkpoint(): void {
    try {
      this.#sql.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // A full disk or a damaged file: what was committed is in the log file all the same.
    }
  }

  #change(text: string): Statement {
    const statement = this.#sql.prepare<[ColumnValue[]]>(text)
    if (statement.reader) throw new Error(`What gives rows is for select: ${text}`)
    return statement
  }

  #query(columns: readonly string[], rest: string): Statement {
    const text = `SELECT ${columns.map(cell).join(', ')} ${rest}`
    return this.#sql.prepare<[ColumnValue[]]>(text).raw().safeIntegers()
  }
}

type Use = 'keep' | 'look' | 'copy'

function opened(path: string): Libsql.Database {
  try {
    return new Libsql(path)
  } catch (error) {
    // The driver tells the code at the end of its text alone.
    const [, code] = /: (\d+)"?\)?$/.exec(error instanceof Error ? error.message : '') ?? []
    throw code === undefined
      ? error
      : Object.assign(new Error(`${path} cannot be opened`), { code: `${NUMBERED}${code}` })
  }
}

function makeOwn(path: string): void {
  // SQLite makes files beside it. Where it may not, it says so in codes of its own, or not before the first change.
  accessSync(dirname(path), constants.W_OK | constants.X_OK)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

function rowOf(columns: readonly string[], cells: unknown): Row {
  if (!Array.isArray(cells)) throw new TypeError('The driver gave no row')
  return Object.fromEntries(columns.map((column, index) => [column, cellValue(cells[index])]))
}

/** The file is damaged, as opposed to a full disk, a wrong statement, or a row that exists already. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(sqliteCode(error))
}

export function damageError(message: string): Error {
  return Object.assign(new Error(message), { code: 'SQLITE_CORRUPT' })
}

/** SQLite does not understand a statement, such as one with a column that the file does not have. */
export function isMistake(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_ERROR'
}

/** Also when a file ends before what should stand in it. */
export function isUnreadable(error: unknown): boolean {
  return isDamage(error) || sqliteCode(error).startsWith('SQLITE_IOERR')
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
