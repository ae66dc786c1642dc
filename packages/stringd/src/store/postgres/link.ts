import { LIMITS } from '@string-os/protocol'
import { Client, type ClientConfig, type Notification } from 'pg'
import pgpass from 'pgpass'
import type { ServerAddress } from './address.ts'
import { endsConnection, reasonOf } from './reason.ts'

/** A statement that the server prepares once for each connection. */
export interface Query {
  readonly name: string
  readonly text: string
  /** It changes nothing, so it may be asked twice. */
  readonly reads?: true
}

export type ServerRow = Readonly<Record<string, unknown>>

export interface ServerAnswer {
  readonly rows: readonly ServerRow[]
  /** Rows that were changed or read. */
  readonly count: number
  readonly command: string
}

/** Nothing more comes over a connection; what was under way may have been done. */
export class LinkBroken extends Error {
  /**
   * `silent`: the server had all the time that it may take. `late`: whoever asked could not wait any longer, which says
   * nothing about the server.
   */
  readonly kind: 'cut' | 'silent' | 'late'

  constructor(reason: string, kind: LinkBroken['kind'] = 'cut') {
    super(reason)
    this.kind = kind
  }
}

/** The server gives up first, so that one that is only slow is told from one that is silent. */
const STATEMENT_MS = LIMITS.storeAnswerMs - 500

/**
 * P8: every statement has an index that gives its rows in their order, and is to use it whatever the server knows about
 * how full a table is. What is off counts as very dear, and of what is dear the server would make machine code first.
 */
export const BY_INDEX = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'jit']

const SESSION = `SELECT set_config('default_transaction_isolation', 'read committed', false),
  ${BY_INDEX.map((name) => `set_config('${name}', 'off', false)`).join(', ')},
  set_config('synchronous_commit', CASE current_setting('synchronous_commit')
    WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false),
  current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
  current_setting('fsync') AS fsync`

/** One connection. Statements run one after the other, and whatever stays without an answer ends it. */
export class ServerLink {
  readonly #client: Client
  readonly #secrets: () => (string | null | undefined)[]
  #tail: Promise<unknown> = Promise.resolve()
  #broken: LinkBroken | null = null
  #hasGivenUp = false
  /** What the server said about itself. */
  facts: ServerRow = {}

  private constructor(client: Client, address: ServerAddress) {
    this.#client = client
    this.#secrets = () => [address.password, typeof client.password === 'string' ? client.password : null]
    client.on('error', (error) => this.#break(error))
    client.on('end', () => this.#break(new Error('the connection was cut')))
  }

  /** Rejects with what the server or the network said. */
  static async open(address: ServerAddress, until = performance.now() + LIMITS.storeAnswerMs): Promise<ServerLink> {
    const link = new ServerLink(clientFor(address), address)
    const limit = setTimeout(() => link.#giveUp('silent'), until - performance.now())
    try {
      await link.#client.connect()
      link.facts = (await link.#ask({ text: SESSION })).rows[0] ?? {}
      return link
    } catch (error) {
      link.destroy()
      throw link.#hasGivenUp ? (link.#broken ?? error) : error
    } finally {
      clearTimeout(limit)
    }
  }

  get isBroken(): boolean {
    return this.#broken !== null
  }

  get reason(): string {
    return this.#broken?.message ?? ''
  }

  /** Rejects with `LinkBroken`, or with what the server said about the statement. */
  run(query: Query | string, values: readonly unknown[], until: number): Promise<ServerAnswer> {
    const turn = this.#tail.then(() => this.#run(query, values, until))
    this.#tail = turn.catch(() => undefined)
    return turn
  }

  onNotification(listener: (payload: string, isOwn: boolean) => void): void {
    this.#client.on('notification', ({ payload = '', processId }: Notification) => {
      listener(payload, 'processID' in this.#client && processId === this.#client.processID)
    })
  }

  onEnd(listener: () => void): void {
    this.#client.on('end', listener)
  }

  /** Why something failed that was asked over it, without a password. */
  shown(error: unknown): string {
    return reasonOf(error, this.#secrets())
  }

  /** Says goodbye, where that is possible. */
  async end(): Promise<void> {
    if (this.#broken !== null) return
    this.#broken = new LinkBroken('the connection was closed')
    const limit = setTimeout(() => this.destroy(), 1_000)
    await this.#client.end().catch(() => undefined)
    clearTimeout(limit)
  }

  destroy(): void {
    this.#broken ??= new LinkBroken('the connection was closed')
    this.#client.connection.stream.destroy()
  }

  async #run(query: Query | string, values: readonly unknown[], until: number): Promise<ServerAnswer> {
    if (this.#broken !== null) throw this.#broken
    const started = performance.now()
    // The server would have given up before, was it there.
    const kind = until - started > STATEMENT_MS ? 'silent' : 'late'
    let late: NodeJS.Immediate | undefined
    // A loop that was held up runs its timers first: an answer that has come is read only then.
    const limit = setTimeout(() => {
      late = setImmediate(() => this.#giveUp(kind))
    }, until - started)
    try {
      return await this.#ask(
        typeof query === 'string'
          ? { text: query, values: [...values] }
          : { name: query.name, text: query.text, values: [...values] },
      )
    } catch (error) {
      if (endsConnection(error)) this.#break(error)
      throw this.#broken ?? error
    } finally {
      clearTimeout(limit)
      clearImmediate(late)
    }
  }

  async #ask(config: { name?: string; text: string; values?: unknown[] }): Promise<ServerAnswer> {
    const { rows, rowCount, command } = await this.#client.query<Record<string, unknown>>(config)
    return { rows, count: rowCount ?? 0, command }
  }

  #giveUp(kind: LinkBroken['kind']): void {
    this.#hasGivenUp = true
    this.#broken ??= new LinkBroken(`the database did not answer within ${LIMITS.storeAnswerMs / 1000} s`, kind)
    this.destroy()
  }

  #break(error: unknown): void {
    this.#broken ??= new LinkBroken(this.shown(error))
    this.destroy()
  }
}

/** Without a password in the address or the environment, the file with passwords is asked when the server wants one. */
function clientFor(address: ServerAddress): Client {
  const config = configOf(address)
  const client = new Client(config)
  return client.password ? client : new Client({ ...config, password: () => storedPassword(address) })
}

function storedPassword(address: ServerAddress): Promise<string> {
  return new Promise((resolve) => {
    pgpass(address, (password) => resolve(password ?? ''))
  })
}

function configOf(address: ServerAddress): ClientConfig {
  const { host, port, user, database, password, ssl, bindsChannel } = address
  return {
    host,
    port,
    user,
    database,
    password,
    ssl,
    // What the environment says about these is not for us.
    sslnegotiation: 'postgres',
    client_encoding: 'UTF8',
    enableChannelBinding: bindsChannel,
    application_name: 'stringd',
    keepAlive: true,
    statement_timeout: STATEMENT_MS,
    // A process that stands still in a transaction keeps others from its rows no longer than this.
    idle_in_transaction_session_timeout: LIMITS.storeAnswerMs + 1_000,
  }
}
