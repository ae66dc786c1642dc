import type { ExecOptions, ExecResult, StringClient } from '@string-os/client'
import type { Config } from '../../config.ts'
import { connect } from '../daemon/connect.ts'
import { ensureDaemon } from '../daemon/find-daemon.ts'

/** A client of whichever daemon serves our data folder now: it may be another one by the next call. */
export class DaemonLink {
  readonly #config: Config
  #client: StringClient | null = null
  #pid = 0

  constructor(config: Config) {
    this.#config = config
  }

  /** Starts the daemon when there is none. */
  async client(): Promise<StringClient> {
    const { pid } = await ensureDaemon(this.#config)
    if (this.#client === null || pid !== this.#pid) {
      this.#client = await connect(this.#config)
      this.#pid = pid
      await this.#client.ready()
    }
    return this.#client
  }

  async exec(topic: string, cmd: string, options: ExecOptions): Promise<ExecResult> {
    return (await this.client()).exec(topic, cmd, { ...options, via: 'mcp' })
  }
}
