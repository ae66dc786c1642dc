import type { ServerResponse } from 'node:http'
import { LIMITS } from '@string-os/protocol'

/** Counts what clients have been answered and have not read; of more than there is room for, the oldest is cut off. */
export class UnreadReplies {
  readonly #waiting = new Map<ServerResponse, number>()
  #total = 0

  add(response: ServerResponse): void {
    const bytes = response.writableLength
    if (bytes === 0 || response.writableFinished || response.destroyed) return
    this.#waiting.set(response, bytes)
    this.#total += bytes
    response.once('close', () => this.#forget(response))
    for (const oldest of this.#waiting.keys()) {
      if (this.#total <= LIMITS.repliesBytes || oldest === response) break
      this.#forget(oldest)
      oldest.destroy()
    }
  }

  #forget(response: ServerResponse): void {
    this.#total -= this.#waiting.get(response) ?? 0
    this.#waiting.delete(response)
  }
}
