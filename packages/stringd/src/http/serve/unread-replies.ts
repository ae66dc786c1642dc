import type { Writable } from 'node:stream'
import { LIMITS } from '@string-os/protocol'

/** Counts what clients have been answered and have not read; of more than there is room for, the oldest is cut off. */
export class UnreadReplies {
  readonly #waiting = new Map<Writable, number>()
  #total = 0

  /** Counts what is left of an answer, or of all answers on a connection, until it has been read or nobody will. */
  add(answered: Writable): void {
    const bytes = answered.writableLength
    if (bytes === 0 || answered.writableFinished || answered.destroyed) return
    if (!this.#waiting.has(answered)) this.#watch(answered)
    this.#total += bytes - (this.#waiting.get(answered) ?? 0)
    this.#waiting.set(answered, bytes)
    for (const oldest of this.#waiting.keys()) {
      if (this.#total <= LIMITS.repliesBytes || oldest === answered) break
      this.#forget(oldest)
      oldest.destroy()
    }
  }

  #watch(answered: Writable): void {
    const over = (): void => {
      answered.off('drain', over).off('close', over)
      this.#forget(answered)
    }
    answered.on('drain', over).on('close', over)
  }

  #forget(answered: Writable): void {
    this.#total -= this.#waiting.get(answered) ?? 0
    this.#waiting.delete(answered)
  }
}
