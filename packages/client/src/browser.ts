import { DaemonClient } from './client.ts'
import { FetchTransport } from './fetch-transport.ts'

// biome-ignore lint/performance/noReExportAll: what both entries offer is listed once, and bundled
export * from './api.ts'

// What the types of `./start` speak of, also where the types of a browser are read.
export type { AutoStart, DaemonAddress } from './options.ts'

export interface ClientOptions {
  /** The agent to speak for; `default` by default. */
  readonly agent?: string
  /** Where the daemon is, `http://127.0.0.1:3923`; by default where the page came from. */
  readonly baseUrl?: string
}

/**
 * The same client for a page: over `fetch`, without anything of Node. A page stays open while agents are deleted elsewhere, so it
 * registers none by speaking for it: `agents.register` alone does.
 */
export class StringClient extends DaemonClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions = {}) {
    super(new FetchTransport(options.baseUrl ?? ''), options.agent, 'leave')
    this.#options = options
  }

  /** The same for another agent. */
  as(agent: string): StringClient {
    return new StringClient({ ...this.#options, agent })
  }
}
