import { chmodSync, closeSync, openSync } from 'node:fs'
import Libsql from 'libsql'

export type Value = string | number | null | Uint8Array
type Statement = Libsql.Statement<unknown[]>
export type Row = Readonly<Record<string, Value>>

/** One open file. Statements are prepared once. */
export class Connection {
  readonly path: string
  readonly #sql: Libsql.Database
  readonly #statements = new Map<string, Statement>()

  /** Opens the file, and makes it when it is not there: for its owner only, whatever the umask. */
  constructor(path: string) {
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
    this.path = path
    this.#sql = new Libsql(path)
  }

  get isOpen(): boolean {
    return this.#sql.open
  }

  get inTransaction(): boolean {
    return this.#sql.inTransaction
  }

  exec(text: string): void {
    this.#sql.exec(text)
  }

  run(text: string, ...values: Value[]): number {
    // SQLite ends a text at a NUL: what may hold one is stored as bytes.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) throw new Error('NUL in a text')
    return this.#with(text, (statement) => statement.run(...values).changes)
  }

  all(text: string, ...values: Value[]): Row[] {
    return this.#with(text, (statement) => statement.all(...values) as Row[]).map(withBuffers)
  }

  get(text: string, ...values: Value[]): Row | undefined {
    return this.#with(text, (statement) => statement.get(...values) as Row | undefined)
  }

  close(): void {
    this.#statements.clear()
    // Statements that the driver has not let go of would keep it from doing this by itself.
    if (this.#sql.open && !this.#sql.inTransaction) this.#checkpoint()
    this.#sql.close()
  }

  #checkpoint(): void {
    try {
      this.#sql.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // A full disk or a damaged file: what was committed is in the log file all the same.
    }
  }

  /** A statement that failed goes on failing, so it is not used again. */
  #with<T>(text: string, use: (statement: Statement) => T): T {
    const statement = this.#statement(text)
    try {
      return use(statement)
    } catch (error) {
      this.#statements.delete(text)
      throw error
    }
  }

  #statement(text: string): Statement {
    const known = this.#statements.get(text)
    if (known !== undefined) return known
    const statement = this.#sql.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }
}

/** The driver gives bytes of several rows as ArrayBuffer, of one row as Buffer. */
function withBuffers(row: Row): Row {
  const entries = Object.entries(row) as [string, Value | ArrayBuffer][]
  if (!entries.some(([, value]) => value instanceof ArrayBuffer)) return row
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof ArrayBuffer ? Buffer.from(value) : value]),
  )
}

/** The file is damaged, as opposed to a full disk, a wrong statement, or a row that exists already. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(sqliteCode(error))
}

/** Also when a file ends before what should stand in it. */
export function isUnreadable(error: unknown): boolean {
  return isDamage(error) || sqliteCode(error).startsWith('SQLITE_IOERR')
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
