import { LIMITS } from '@string-os/protocol'

/** Counts what all requests together hold of bodies, from the first byte until they are answered. */
export class BodyRoom {
  readonly #held = new Map<object, number>()
  #total = 0

  /** What is declared costs nothing: only bytes that have come are counted. False when there is no room for them. */
  take(request: object, bytes: number): boolean {
    const held = (this.#held.get(request) ?? 0) + bytes
    // The last part is for small bodies alone, so that a few large ones do not shut out every command.
    const isSmall = held <= LIMITS.smallBodyBytes
    if (this.#total + bytes > LIMITS.bodiesBytes - (isSmall ? 0 : LIMITS.bodiesBytes / 4)) return false
    this.#held.set(request, held)
    this.#total += bytes
    return true
  }

  forget(request: object): void {
    this.#total -= this.#held.get(request) ?? 0
    this.#held.delete(request)
  }
}
