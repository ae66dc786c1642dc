import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Peers } from '../../peers/peers.ts'
import { endRaw } from './client-error.ts'
import { refuse } from './refuse.ts'
import { rawError } from './respond.ts'

const NOT_WELCOME =
  'Forbidden: only programs of the user who runs this daemon are served (STRING_ALLOW_UIDS lists others)'

/** Stands in front of everything that is answered: nobody hears anything before it is known who asks (S29). */
export class Entrance {
  readonly #peers: Peers
  readonly #judged = new WeakSet<Socket>()

  constructor(peers: Peers) {
    this.#peers = peers
  }

  /** Goes on with a request of somebody who is welcome. Nothing of its body has been read before. */
  request(request: IncomingMessage, response: ServerResponse, go: () => void): void {
    const { socket, headers } = request
    const key = headers['x-string-key']
    const verdict = this.#peers.isWelcome(socket, typeof key === 'string' ? key : undefined)
    if (verdict === true) return go()
    void Promise.resolve(verdict).then((isWelcome) => {
      // Who left meanwhile is told nothing, and nothing has begun.
      if (socket.destroyed) return
      if (isWelcome) go()
      else refuse(request, response, 403, NOT_WELCOME, { Connection: 'close' })
    })
  }

  /** The same for a connection on which no request could be read, once however often it goes wrong. */
  connection(socket: Socket, go: () => void): void {
    if (this.#judged.has(socket)) return
    this.#judged.add(socket)
    // Nobody else listens to it any more.
    socket.on('error', () => socket.destroy())
    void Promise.resolve(this.#peers.isWelcome(socket, undefined)).then((isWelcome) => {
      if (!socket.writable) return void socket.destroy()
      if (isWelcome) go()
      else endRaw(socket, rawError(403, 'Forbidden', NOT_WELCOME))
    })
  }
}
