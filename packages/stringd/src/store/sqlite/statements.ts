import type Libsql from 'libsql'
import { bound, type ColumnValue } from './value.ts'

export type Statement = Libsql.Statement<[ColumnValue[]]>

interface Prepared {
  readonly statement: Statement
  /** How many values it takes. */
  readonly places: number
}

/** Statements for one kind of call, prepared once. In a text a `?` is a place for a value, and nothing else. */
export class Statements {
  readonly #known = new Map<string, Prepared>()

  use<T>(
    text: string,
    values: readonly ColumnValue[],
    prepare: () => Statement,
    call: (statement: Statement, values: ColumnValue[]) => T,
  ): T {
    const { statement, places } = this.#prepared(text, prepare)
    // For a value that is missing the driver takes one of the call before.
    if (values.length !== places) throw new Error(`${values.length} values for ${places} places: ${text}`)
    try {
      return call(statement, values.map(bound))
    } catch (error) {
      // A statement that failed goes on failing.
      this.#known.delete(text)
      throw error
    }
  }

  clear(): void {
    this.#known.clear()
  }

  #prepared(text: string, prepare: () => Statement): Prepared {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const prepared = { statement: prepare(), places: text.split('?').length - 1 }
    this.#known.set(text, prepared)
    return prepared
  }
}
