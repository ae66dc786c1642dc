import { randomBytes } from 'node:crypto'
import { type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Database } from '../store/database/database.ts'
import {
  countOpenDeliveries,
  type DeliveryRow,
  dropDeliveries,
  dueDeliveries,
  insertDelivery,
  interruptedDeliveries,
  newestDeliveries,
  nextDelivery,
  pruneDeliveries,
  updateDelivery,
} from '../store/database/deliveries.ts'
import { isoTime } from '../store/iso-time.ts'
import { isOver, nextTime, shownWait } from './retry-times.ts'
import { later, refused, type Send, type Tried } from './send.ts'

/** How a target is sent to, as it is now; `LOAD_ERROR` when that cannot be known now. */
export type FindSend = (agentId: string, channel: string, target: string) => { ok: true; send: Send } | Failure

export interface DeliveriesParts {
  readonly database: Database
  readonly findSend: FindSend
  readonly log: Log
  readonly now: () => number
  /** Runs something later; answers how to prevent it. */
  readonly wait: (ms: number, run: () => void) => () => void
}

export interface NewDelivery {
  readonly agentId: string
  readonly channel: string
  readonly target: string
  readonly text: string
}

const STOPPED = 'the daemon stopped'

/** Messages that leave the machine: stored first, tried at once, and again until they are sent, refused or too old. */
export class Deliveries {
  readonly #parts: DeliveriesParts
  /** Tries that are under way. */
  readonly #attempts = new Set<AbortController>()
  readonly #underWay = new Set<Promise<unknown>>()
  /** What became of tries whose end could not be stored. */
  readonly #unstored = new Map<string, DeliveryRow>()
  #isTroubled = false
  #cancelTimer: () => void = () => undefined
  #round: Promise<void> | null = null
  #stopping = false

  constructor(parts: DeliveriesParts) {
    this.#parts = parts
  }

  /** Goes on with what an earlier daemon left. A try that it did not see the end of is made again. */
  async start(): Promise<void> {
    const { database, now, log } = this.#parts
    try {
      const nextAt = isoTime(now())
      const left = interruptedDeliveries(database)
      if (left.length > 0) {
        await database.write((connection) => {
          for (const delivery of left) updateDelivery(connection, { ...delivery, state: 'waiting', nextAt })
        })
      }
    } catch (error) {
      // A folder that cannot be written must not keep the daemon from starting.
      log.error('Interrupted deliveries could not be taken up', { cause: String(error) })
    }
    this.#arm()
  }

  /** Stores a message and tries it once; what became of it is the result. */
  submit(delivery: NewDelivery, send: Send): Promise<Result> {
    return this.#watched(this.#submit(delivery, send))
  }

  /** Tries all whose time has come; one round at a time. */
  runDue(): Promise<void> {
    this.#round ??= this.#runRound().finally(() => {
      this.#round = null
      this.#arm()
    })
    return this.#round
  }

  list(agentId: string | null): readonly DeliveryRow[] {
    return newestDeliveries(this.#parts.database, agentId, LIMITS.listedDeliveries)
  }

  /** Everything of an agent that is no more. */
  drop(agentId: string): Promise<number> {
    return this.#parts.database.write((connection) => dropDeliveries(connection, agentId))
  }

  prune(): Promise<number> {
    const before = isoTime(this.#parts.now() - LIMITS.deliveryKeepMs)
    return this.#parts.database.write((connection) => pruneDeliveries(connection, before))
  }

  /** Ends the tries that are under way; their messages wait for the next daemon. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#cancelTimer()
    for (const attempt of this.#attempts) attempt.abort(STOPPED)
    await Promise.allSettled(this.#underWay)
  }

  async #submit({ agentId, channel, target, text }: NewDelivery, send: Send): Promise<Result> {
    const { database, now } = this.#parts
    if (this.#stopping)
      return fail('CANCELLED', 'The daemon stops; the message was not sent', 'Send it again when it runs')
    if (countOpenDeliveries(database, agentId) >= LIMITS.deliveriesWaiting) {
      return fail('LIMIT_REACHED', `${LIMITS.deliveriesWaiting} messages wait already`, 'string deliveries shows them')
    }
    const id = `dlv_${randomBytes(16).toString('hex')}`
    const createdAt = isoTime(now())
    const fresh = { id, agentId, channel, target, text, createdAt, tries: 0, nextAt: null, reason: null }
    const delivery: DeliveryRow = { ...fresh, state: 'trying' }
    await database.write((connection) => insertDelivery(connection, delivery))
    return this.#result(await this.#try(delivery, { ok: true, send }))
  }

  async #runRound(): Promise<void> {
    const { database, now, log } = this.#parts
    this.#isTroubled = false
    try {
      await this.#storeLate()
      for (;;) {
        const due = dueDeliveries(database, isoTime(now()), LIMITS.deliveriesAtOnce)
        if (due.length === 0 || this.#stopping) return
        await Promise.all(due.map((delivery) => this.#watched(this.#retry(delivery))))
      }
    } catch (error) {
      // A database that cannot be written now; the timer comes back to it.
      this.#isTroubled = true
      log.error('Deliveries could not be tried', { cause: String(error) })
    }
  }

  async #retry(delivery: DeliveryRow): Promise<void> {
    const trying: DeliveryRow = { ...delivery, state: 'trying' }
    await this.#parts.database.write((connection) => updateDelivery(connection, trying))
    await this.#try(trying, this.#parts.findSend(delivery.agentId, delivery.channel, delivery.target))
  }

  /** One try, and its end on the disk. */
  async #try(delivery: DeliveryRow, found: ReturnType<FindSend>): Promise<DeliveryRow> {
    const { now, log } = this.#parts
    const tried = isOver(Date.parse(delivery.createdAt), now()) ? tooOld(delivery) : await this.#send(delivery, found)
    const after = settled(delivery, tried, now())
    await this.#store(after)
    if (after.state === 'failed') {
      const { id, agentId, channel, reason } = after
      log.warn('A delivery failed', { id, agent: agentId, channel, reason: reason ?? '' })
    }
    if (after.state === 'waiting') this.#arm()
    return after
  }

  async #store(delivery: DeliveryRow): Promise<void> {
    this.#unstored.set(delivery.id, delivery)
    try {
      await this.#storeLate()
    } catch (error) {
      this.#arm()
      throw error
    }
  }

  async #storeLate(): Promise<void> {
    const rows = [...this.#unstored.values()]
    if (rows.length === 0) return
    await this.#parts.database.write((connection) => {
      for (const row of rows) updateDelivery(connection, row)
    })
    for (const { id } of rows) this.#unstored.delete(id)
  }

  async #send({ id, target, text, createdAt }: DeliveryRow, found: ReturnType<FindSend>): Promise<Tried> {
    if (!found.ok) return found.code === 'LOAD_ERROR' ? later(found.system) : refused(found.system)
    if (this.#stopping) return later(STOPPED)
    const attempt = new AbortController()
    const limit = setTimeout(() => attempt.abort(), LIMITS.deliveryTryMs)
    this.#attempts.add(attempt)
    try {
      return await found.send({ id, target, text, createdAt: new Date(createdAt) }, attempt.signal)
    } finally {
      clearTimeout(limit)
      this.#attempts.delete(attempt)
    }
  }

  #result({ state, channel, target, reason, nextAt }: DeliveryRow): Result {
    if (state === 'sent') return ok(`sent to ${target}`)
    if (state === 'failed')
      return fail(
        'DELIVERY_FAILED',
        `${channel} to ${target}: ${reason}`,
        'It is not tried again: mend the target or channels.yaml, then send it anew',
      )
    const wait = shownWait(Date.parse(nextAt ?? '') - this.#parts.now())
    return ok(`queued for ${target}: ${reason}, next try in ${wait}`)
  }

  /** Sets the timer for the next message that waits; now and then it looks anyway, since clocks are set. */
  #arm(): void {
    this.#cancelTimer()
    if (this.#stopping) return
    const ms = this.#msToNext()
    if (ms !== null) this.#cancelTimer = this.#parts.wait(ms, () => void this.runDue())
  }

  #msToNext(): number | null {
    const { database, now, log } = this.#parts
    if (this.#isTroubled || this.#unstored.size > 0) return LIMITS.deliveryPollMs
    try {
      const next = nextDelivery(database)
      if (next === null) return null
      return Math.min(Math.max(Date.parse(next.nextAt ?? '') - now(), 0), LIMITS.deliveryPollMs)
    } catch (error) {
      log.error('Deliveries could not be read', { cause: String(error) })
      return LIMITS.deliveryPollMs
    }
  }

  async #watched<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work)
    try {
      return await work
    } finally {
      this.#underWay.delete(work)
    }
  }
}

function settled(delivery: DeliveryRow, tried: Tried, now: number): DeliveryRow {
  const tries = delivery.tries + 1
  if (tried.kind === 'sent') return { ...delivery, tries, state: 'sent', nextAt: null, reason: null }
  const { reason } = tried
  if (tried.kind === 'refused') return { ...delivery, tries, state: 'failed', nextAt: null, reason }
  return {
    ...delivery,
    tries,
    state: 'waiting',
    nextAt: isoTime(nextTime(Date.parse(delivery.createdAt), now)),
    reason,
  }
}

function tooOld({ reason }: DeliveryRow): Tried {
  return refused(`given up after 24 h: ${reason ?? 'it could not be tried'}`)
}
