import { Agent } from 'node:http'
import { listenerUid } from './daemon-address.ts'
import { ForeignDaemonError } from './errors.ts'

interface ConnectionsOptions {
  /** Told the port of a connection that closed. */
  readonly onClose: (port: number) => void
  /** Whether somebody has said whose the listener on a port is. */
  readonly isVouched: (port: number) => boolean
}

/** Connections to daemons of this user, kept for the next request. */
export class Connections extends Agent {
  readonly #options: ConnectionsOptions

  constructor(options: ConnectionsOptions) {
    super({ keepAlive: true })
    this.#options = options
  }

  /** Whoever finds one dead would find the next one dead, too: none that waits for a request is used again. */
  dropIdle(): void {
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent['createConnection']>
  ): ReturnType<Agent['createConnection']> {
    const port = Number(options.port)
    // Reading the system's table takes longer than most commands.
    if (!this.#options.isVouched(port)) refuseForeign(port)
    const socket = super.createConnection(options, callback)
    return socket?.once('connect', () => socket.once('close', () => this.#options.onClose(port)))
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
