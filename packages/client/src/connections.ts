import { Agent } from 'node:http'
import { listenerUid } from './daemon-address.ts'
import { ForeignDaemonError } from './errors.ts'

/** Connections to daemons of this user, kept for the next request; `onClose` is told the port of one that closed. */
export class Connections extends Agent {
  readonly #onClose: (port: number) => void

  constructor(onClose: (port: number) => void) {
    super({ keepAlive: true })
    this.#onClose = onClose
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    const port = Number(options.port)
    refuseForeign(port)
    const socket = super.createConnection(options, callback)
    return socket?.once('connect', () => socket.once('close', () => this.#onClose(port)))
  }
}

/** A command may hold secrets: it is for the daemon of this user, and for nobody else who happens to listen there. */
function refuseForeign(port: number): void {
  const uid = listenerUid(port)
  if (uid === null || uid === process.getuid?.()) return
  throw new ForeignDaemonError(
    `Port ${port} is served by another user (uid ${uid}); set STRING_PORT to the port of your own stringd`,
  )
}
