/** Why a store can never be used as it is named: one line for a person, with the next step. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'

  /** An engine may be built as a file of its own, which has a class of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StoreRefused'
  }
}
