import type { Connection } from './connection.ts'

/** One that answers a promise waits for nothing but the connection. */
type Change = (connection: Connection) => unknown

interface Waiting {
  readonly change: Change
  readonly done: (value: unknown) => void
  readonly failed: (error: unknown) => void
}

/** How many turns of the event loop a commit waits for more, at most. */
const MOST_TURNS = 8

/**
 * Puts what is written in a few turns of the event loop into one transaction. Callers hear of it when it is on the disk;
 * when it cannot be written, all of them hear that, and nothing was stored. What was written and cannot be synced may be there.
 */
export class GroupCommit {
  readonly #connection: () => Connection
  readonly #sync: () => Promise<void> | undefined
  readonly #onError: (error: unknown) => void
  #waiting: Waiting[] = []
  #flushed: Promise<void> = Promise.resolve()

  /** `sync` brings what was committed to the disk; `onError` is told before the callers are. */
  constructor(connection: () => Connection, sync: () => Promise<void> | undefined, onError: (error: unknown) => void) {
    this.#connection = connection
    this.#sync = sync
    this.#onError = onError
  }

  write<T>(change: (connection: Connection) => T | Promise<T>, stored?: (value: T) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) this.#gather(1, MOST_TURNS)
      const done = (value: T): void => {
        stored?.(value)
        resolve(value)
      }
      this.#waiting.push({ change, done: done as (value: unknown) => void, failed: reject })
    })
  }

  /** While each turn of the event loop brings more writers, a commit that takes them along costs less than one of its own. */
  #gather(seen: number, turns: number): void {
    setImmediate(() => {
      const { length } = this.#waiting
      if (length > seen && turns > 0) this.#gather(length, turns - 1)
      else void this.flush()
    })
  }

  /** Writes what waits now. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#flush())
    return this.#flushed
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return
    try {
      const values = await this.#transaction(batch.map(({ change }) => change))
      for (const [index, { done }] of batch.entries()) done(values[index])
    } catch (error) {
      if (batch.length > 1 && error instanceof ChangeError) return this.#oneByOne(batch)
      const cause = error instanceof ChangeError ? error.cause : error
      this.#onError(cause)
      for (const { failed } of batch) failed(cause)
    }
  }

  /** One of them is wrong: it alone shall fail. */
  async #oneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const { change, done, failed } of batch) {
      try {
        const [value] = await this.#transaction([change])
        done(value)
      } catch (error) {
        const cause = error instanceof ChangeError ? error.cause : error
        this.#onError(cause)
        failed(cause)
      }
    }
  }

  async #transaction(changes: readonly Change[]): Promise<unknown[]> {
    const connection = this.#connection()
    connection.exec('BEGIN IMMEDIATE')
    try {
      const values: unknown[] = []
      for (const change of changes) {
        const value = applied(change, connection)
        values.push(value instanceof Promise ? await atOnce(value) : value)
      }
      connection.exec('COMMIT')
      await this.#sync()
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

/**
 * What the groups answer is there at once, so nobody else runs between the first statement and the commit. A change that
 * waits for something else would hold up all who write.
 */
function atOnce(value: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown): void => reject(new ChangeError('A change could not be made', { cause: error }))
    const late = setImmediate(() => failed(new Error('A transaction waits for something else than the store')))
    value.then(resolve, failed).finally(() => clearImmediate(late))
  })
}
