import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '@string-os/protocol'
import type { Log } from '../../log.ts'
import { StoreRefused } from '../refused.ts'
import type { ServerAddress } from './address.ts'
import { contact } from './contact.ts'
import { LinkBroken, type ServerLink } from './link.ts'
import { reasonOf } from './reason.ts'

interface KeeperParts {
  readonly address: ServerAddress
  readonly log: Log
  /** The store is there; rejects when it went away again meanwhile. */
  readonly onHere: (link: ServerLink) => Promise<void>
  /** True when that is news. */
  readonly onAway: (reason: string) => boolean
  /** It was never there, and no waiting mends that. */
  readonly onRefused: (error: StoreRefused) => void
}

/** Keeps the connection by which the store is in use, and finds the server again when it was away. */
export class Keeper {
  readonly #parts: KeeperParts
  #link: ServerLink | null = null
  #wasHere = false
  #isStopped = false
  #tries = 0
  #timer: NodeJS.Timeout | undefined
  #connecting: Promise<void> | null = null

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** The first try; it resolves also when the store is away. */
  start(): Promise<void> {
    return this.#connect()
  }

  /** A connection failed: the server may be gone. */
  trouble(error: unknown): void {
    if (this.#isStopped) return
    const reason = error instanceof LinkBroken ? error.message : reasonOf(error, [this.#parts.address.password])
    this.#away(reason)
    const link = this.#link
    this.#link = null
    link?.destroy()
    if (this.#connecting === null && this.#timer === undefined) this.#again(0)
  }

  /** A schema that is being brought up to date is not waited for: its transaction ends with the process. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await Promise.race([this.#connecting, pause(LIMITS.storeAnswerMs, undefined, { ref: false })])
    await this.#link?.end()
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#tryOnce().finally(() => {
      this.#connecting = null
      if (this.#link === null && !this.#isStopped) this.#again(this.#pause())
    })
    return this.#connecting
  }

  async #tryOnce(): Promise<void> {
    const { address, onHere, onRefused, log } = this.#parts
    try {
      const link = await contact(address, 'shared')
      if (this.#isStopped) return await link.end()
      this.#link = link
      link.onEnd(() => {
        if (this.#link === link) this.trouble(new LinkBroken(link.reason))
      })
      await onHere(link)
      if (link.facts.fsync === 'off' && !this.#wasHere)
        log.warn('PostgreSQL runs with fsync=off, and loses what it stored')
      log.info('The store is there', { where: address.where })
      this.#wasHere = true
      this.#tries = 0
    } catch (error) {
      this.#link?.destroy()
      this.#link = null
      this.#away(error instanceof StoreRefused ? error.message : reasonOf(error, [address.password]))
      if (!this.#wasHere && error instanceof StoreRefused) {
        this.#isStopped = true
        onRefused(error)
      }
    }
  }

  #again(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#connect()
    }, ms)
  }

  /** Many daemons shall not come back at the same moment. */
  #pause(): number {
    const ms = Math.min(LIMITS.storeRetryMs * 2 ** this.#tries, LIMITS.storeRetryMaxMs)
    this.#tries += 1
    return ms * (0.5 + Math.random() / 2)
  }

  #away(reason: string): void {
    const { onAway, log, address } = this.#parts
    if (onAway(reason)) log.warn('The store is away', { where: address.where, reason })
  }
}
