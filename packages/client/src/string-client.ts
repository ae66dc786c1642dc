import { DEFAULT_AGENT } from '@string-os/protocol'
import { DaemonClient } from './client.ts'
import { NodeTransport } from './node-transport.ts'
import { known } from './option-names.ts'
import type { ClientOptions } from './options.ts'

/** A client on Node, which finds its daemon by the port. */
export class StringClient extends DaemonClient {
  readonly #transport: NodeTransport

  constructor(options: ClientOptions = {}) {
    const transport = new NodeTransport(known('new StringClient', options))
    const { agent = DEFAULT_AGENT, create = agent === DEFAULT_AGENT } = options
    super(transport, agent, create ? 'make' : 'check')
    this.#transport = transport
  }

  get port(): number {
    return this.#transport.port
  }
}
