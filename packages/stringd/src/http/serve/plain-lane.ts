import type { Socket } from 'node:net'
import type { LaneParts } from './lane-parts.ts'
import { PlainConnection } from './plain-connection.ts'

/**
 * The short way of a request that is written as nearly all are, and has come whole: nothing is made for it that it does
 * not need. It answers nothing by itself: whatever is not plain about a request, its sender or its target goes the
 * ordinary way with its connection, where everything is refused that is refused.
 */
export class PlainLane {
  readonly #parts: LaneParts
  readonly #connections = new Set<PlainConnection>()
  readonly #date = clock()

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  accept(socket: Socket): void {
    const connection = new PlainConnection(socket, this.#parts, this.#date, () => this.#connections.delete(connection))
    this.#connections.add(connection)
  }

  /** How many requests have not been answered to the end. */
  active(): number {
    let count = 0
    for (const { isActive } of this.#connections) if (isActive) count += 1
    return count
  }

  closeIdle(): void {
    for (const { socket, isActive } of this.#connections) if (!isActive) socket.destroy()
  }

  closeAll(): void {
    for (const { socket } of this.#connections) socket.destroy()
  }
}

/** The date as answers tell it, made once a second. */
function clock(): () => string {
  let second = 0
  let text = ''
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) text = new Date(now * 1000).toUTCString()
    second = now
    return text
  }
}
