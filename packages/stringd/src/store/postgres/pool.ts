import { LIMITS } from '@string-os/protocol'
import { isoTime } from '../iso-time.ts'
import { StoreAway, type StoreState } from '../store.ts'
import { LinkBroken, type ServerLink } from './link.ts'

interface Waiting {
  readonly take: (link: ServerLink) => void
  readonly fail: (error: StoreAway) => void
}

interface PoolParts {
  readonly open: () => Promise<ServerLink>
  /** The server cannot be reached, or has gone: somebody shall find it again, and call `admit`. */
  readonly onTrouble: (error: unknown) => void
}

const IDLE_MS = 30_000

/**
 * Connections, opened when they are needed and used by one at a time. While the store is away nobody gets one: who asks
 * waits a little for its return, and later hears at once.
 */
export class Pool {
  readonly #parts: PoolParts
  readonly #idle = new Map<ServerLink, NodeJS.Timeout>()
  readonly #waiting = new Set<Waiting>()
  /** Links are used until the store goes away; none outlives that. */
  #current = new Set<ServerLink>()
  #open = 0
  #opening = 0
  #away: { readonly since: string; reason: string; isOver: boolean } | null = null
  #grace: NodeJS.Timeout | undefined
  #isClosed = false
  #allBack: (() => void) | null = null

  constructor(parts: PoolParts) {
    this.#parts = parts
  }

  get state(): StoreState {
    if (this.#away === null) return { ok: true }
    const { since, reason } = this.#away
    return { ok: false, since, reason }
  }

  /** Lends a connection, until `until` at the latest. One that broke is never lent again. */
  async use<T>(until: number, work: (link: ServerLink) => Promise<T>): Promise<T> {
    const link = await this.#take(until)
    try {
      return await work(link)
    } catch (error) {
      // One that was cut says little: if the server is gone, the next cannot be opened.
      const isSilent = error instanceof LinkBroken && error.kind === 'silent'
      if (isSilent && this.#current.has(link)) this.#parts.onTrouble(error)
      throw error
    } finally {
      this.#giveBack(link)
    }
  }

  /** The store went away, or is away for another reason now; true when that is news. */
  shut(reason: string): boolean {
    if (this.#away !== null) {
      this.#away.reason = reason
      return false
    }
    this.#away = { since: isoTime(Date.now()), reason, isOver: false }
    this.#grace = setTimeout(() => this.#endGrace(), LIMITS.storeGraceMs)
    this.#current = new Set()
    this.#dropIdle()
    return true
  }

  /** The store is there. */
  admit(): void {
    this.#away = null
    clearTimeout(this.#grace)
    this.#grow()
  }

  /** Lends nothing more, and resolves when everything is back and ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#grace)
    this.#failAll(new StoreAway('the store is closed'))
    this.#dropIdle()
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#allBack = resolve
      })
    }
  }

  #take(until: number): Promise<ServerLink> {
    if (this.#isClosed) return Promise.reject(new StoreAway('the store is closed'))
    if (this.#away?.isOver === true) return Promise.reject(new StoreAway(this.#away.reason))
    const link = this.#away === null ? this.#popIdle() : undefined
    return link === undefined ? this.#wait(until) : Promise.resolve(link)
  }

  #wait(until: number): Promise<ServerLink> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        take: (link) => settle(() => resolve(link)),
        fail: (error) => settle(() => reject(error)),
      }
      const settle = (how: () => void): void => {
        clearTimeout(limit)
        this.#waiting.delete(waiting)
        how()
      }
      const busy = `the ${LIMITS.storeConnections} connections to the database were busy for too long`
      const limit = setTimeout(() => {
        waiting.fail(new StoreAway(this.#away?.reason ?? busy))
      }, until - performance.now())
      this.#waiting.add(waiting)
      this.#grow()
    })
  }

  /** The one that was used last: the server has what it needs at hand, and those that are not needed end. */
  #popIdle(): ServerLink | undefined {
    for (const [link, timer] of [...this.#idle].toReversed()) {
      clearTimeout(timer)
      this.#idle.delete(link)
      if (!link.isBroken) return link
      // Its end, which is yet to come, finds it gone.
      void this.#end(link)
    }
    return undefined
  }

  /** Opens as many as there are callers that wait, and no more. */
  #grow(): void {
    const isOpen = this.#away === null && !this.#isClosed
    if (!isOpen || this.#open >= LIMITS.storeConnections || this.#waiting.size <= this.#opening) return
    void this.#openOne()
    this.#grow()
  }

  async #openOne(): Promise<void> {
    const current = this.#current
    this.#open += 1
    this.#opening += 1
    try {
      const link = await this.#parts.open()
      current.add(link)
      this.#opening -= 1
      link.onEnd(() => this.#forget(link))
      this.#handOver(link)
    } catch (error) {
      this.#opening -= 1
      this.#lost()
      if (current === this.#current) this.#parts.onTrouble(error)
    }
  }

  #giveBack(link: ServerLink): void {
    if (!link.isBroken && this.#current.has(link)) this.#handOver(link)
    else void this.#end(link)
  }

  #handOver(link: ServerLink): void {
    if (this.#isClosed || !this.#current.has(link)) return void this.#end(link)
    const [next] = this.#waiting
    if (next !== undefined) return next.take(link)
    const timer = setTimeout(() => {
      this.#idle.delete(link)
      void this.#end(link)
    }, IDLE_MS).unref()
    this.#idle.set(link, timer)
  }

  /** A connection that nobody used was ended by the server: there is nothing to tell. */
  #forget(link: ServerLink): void {
    const timer = this.#idle.get(link)
    if (timer === undefined) return
    clearTimeout(timer)
    this.#idle.delete(link)
    void this.#end(link)
  }

  #dropIdle(): void {
    for (const [link, timer] of this.#idle) {
      clearTimeout(timer)
      void this.#end(link)
    }
    this.#idle.clear()
  }

  async #end(link: ServerLink): Promise<void> {
    this.#current.delete(link)
    await link.end()
    this.#lost()
  }

  #lost(): void {
    this.#open -= 1
    if (this.#open === 0) this.#allBack?.()
    this.#grow()
  }

  #endGrace(): void {
    if (this.#away === null) return
    this.#away.isOver = true
    this.#failAll(new StoreAway(this.#away.reason))
  }

  #failAll(error: StoreAway): void {
    for (const waiting of this.#waiting) waiting.fail(error)
  }
}
