import type { Connection } from './connection.ts'

type Change = (connection: Connection) => unknown

interface Waiting {
  readonly change: Change
  readonly done: (value: unknown) => void
  readonly failed: (error: unknown) => void
}

/**
 * Puts what is written in one turn of the event loop into one transaction. Callers hear of it when it is on the disk;
 * when it cannot be brought there, all of them hear that, and nothing was stored.
 */
export class GroupCommit {
  readonly #connection: () => Connection
  readonly #onError: (error: unknown) => void
  #waiting: Waiting[] = []

  /** `onError` is told before the callers are. */
  constructor(connection: () => Connection, onError: (error: unknown) => void) {
    this.#connection = connection
    this.#onError = onError
  }

  write<T>(change: (connection: Connection) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.flush())
      this.#waiting.push({ change, done: resolve as (value: unknown) => void, failed: reject })
    })
  }

  /** Writes what waits now. */
  flush(): void {
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return
    try {
      const values = this.#transaction(batch.map(({ change }) => change))
      for (const [index, { done }] of batch.entries()) done(values[index])
    } catch (error) {
      if (batch.length > 1 && error instanceof ChangeError) return this.#oneByOne(batch)
      const cause = error instanceof ChangeError ? error.cause : error
      this.#onError(cause)
      for (const { failed } of batch) failed(cause)
    }
  }

  /** One of them is wrong: it alone shall fail. */
  #oneByOne(batch: readonly Waiting[]): void {
    for (const { change, done, failed } of batch) {
      try {
        done(this.#transaction([change])[0])
      } catch (error) {
        const cause = error instanceof ChangeError ? error.cause : error
        this.#onError(cause)
        failed(cause)
      }
    }
  }

  #transaction(changes: readonly Change[]): unknown[] {
    const connection = this.#connection()
    connection.exec('BEGIN IMMEDIATE')
    try {
      const values = changes.map((change) => applied(change, connection))
      connection.exec('COMMIT')
      return values
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw error
    }
  }
}

/** What one change threw, as opposed to the transaction around it. */
class ChangeError extends Error {}

function applied(change: Change, connection: Connection): unknown {
  try {
    return change(connection)
  } catch (error) {
    throw new ChangeError('A change could not be made', { cause: error })
  }
}
