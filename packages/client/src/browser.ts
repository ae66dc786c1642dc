import { DaemonClient } from './client.ts'
import { FetchTransport } from './fetch-transport.ts'
import { given, known } from './option-names.ts'
import type { PageOptions } from './options.ts'

// biome-ignore lint/performance/noReExportAll: what both entries offer is listed once, and bundled
export * from './api.ts'

// What the types of `./start` speak of, also where the types of a browser are read.
export type { AutoStart, DaemonAddress, PageOptions as ClientOptions } from './options.ts'

/**
 * The same client for a page: over `fetch`, without anything of Node. A page stays open while agents are deleted elsewhere, so it
 * registers none by speaking for it: `agents.register` alone does.
 */
export class StringClient extends DaemonClient {
  readonly #options: PageOptions

  constructor(options: PageOptions = {}) {
    const { baseUrl = '', agent } = known('StringClient in a page', options)
    super(new FetchTransport(baseUrl.replace(/\/+$/, '')), agent, 'leave')
    this.#options = options
  }

  /** The same for another agent. */
  as(agent: string): StringClient {
    given('as', { agent })
    return new StringClient({ ...this.#options, agent })
  }
}
