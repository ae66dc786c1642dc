import { setTimeout as sleep } from 'node:timers/promises'
import { type ExecResult, type StringClient, UnreachableError } from '@string-os/client'
import { LIMITS } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { ensureDaemon, runningDaemon } from './daemon.ts'
import { connect } from './run-command.ts'

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

  async exec(topic: string, cmd: string, cwd: string): Promise<ExecResult> {
    try {
      return await (await this.client()).exec(topic, cmd, { cwd, via: 'mcp' })
    } catch (error) {
      if (!wasRefused(error)) throw error
      // It stops and listens no more: the command reached nobody, so it may be sent again, to the next daemon.
      await this.#gone(this.#pid)
      return (await this.client()).exec(topic, cmd, { cwd, via: 'mcp' })
    }
  }

  async #gone(pid: number): Promise<void> {
    const deadline = performance.now() + LIMITS.daemonStartMs
    while (runningDaemon(this.#config)?.pid === pid && performance.now() < deadline) await sleep(20)
  }
}

/** No connection came about, so nothing was sent. */
function wasRefused(error: unknown): boolean {
  if (!(error instanceof UnreachableError) || !(error.cause instanceof Error)) return false
  return 'code' in error.cause && error.cause.code === 'ECONNREFUSED'
}
