import { DEFAULT_AGENT } from '@string-os/protocol'
import { DaemonClient } from './client.ts'
import { NodeTransport } from './node-transport.ts'
import { given, known } from './option-names.ts'
import type { ClientOptions } from './options.ts'

/** A client on Node, which finds its daemon by the port. */
export class StringClient extends DaemonClient {
  readonly #options: ClientOptions
  readonly #transport: NodeTransport

  constructor(options: ClientOptions = {}) {
    const transport = new NodeTransport(known('new StringClient', options))
    const { agent = DEFAULT_AGENT, create = agent === DEFAULT_AGENT } = options
    super(transport, agent, create ? 'make' : 'check')
    this.#options = options
    this.#transport = transport
  }

  /** The same for another agent. */
  as(agent: string): StringClient {
    given('as', { agent })
    return new StringClient({ ...this.#options, agent })
  }

  get port(): number {
    return this.#transport.port
  }
}
