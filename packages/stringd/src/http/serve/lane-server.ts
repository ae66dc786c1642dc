import { Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { PlainLane } from './plain-lane.ts'

/** Node's server, where a connection goes to the lane first; what is closed here is closed there. */
export class LaneServer extends Server {
  lane: PlainLane | null = null
  readonly #listeners: readonly ((socket: Socket) => void)[]

  constructor(options: ServerOptions) {
    super(options)
    this.#listeners = this.listeners('connection') as ((socket: Socket) => void)[]
    this.removeAllListeners('connection')
    this.on('connection', (socket) => (this.lane === null ? this.ordinary(socket) : this.lane.accept(socket)))
  }

  /** Node's own parser takes a connection. */
  ordinary(socket: Socket): void {
    for (const listener of this.#listeners) listener.call(this, socket)
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections()
    this.lane?.closeIdle()
  }

  override closeAllConnections(): void {
    super.closeAllConnections()
    this.lane?.closeAll()
  }
}
