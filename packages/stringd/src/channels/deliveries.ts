import { randomBytes } from 'node:crypto'
import { type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { DeliveryPart, DeliveryRow, DeliveryStore } from '../store/groups/deliveries.ts'
import { inBatches } from '../store/in-batches.ts'
import { isoTime } from '../store/iso-time.ts'
import { isOver, nextTime, shownWait } from './retry-times.ts'
import { later, refusedForGood, type Send, type Tried } from './send.ts'

/** How a target is sent to, as it is now; `LOAD_ERROR` when that cannot be known now. */
export type FindSend = (agentId: string, channel: string, target: string) => { ok: true; send: Send } | Failure

export interface DeliveriesParts {
  readonly store: DeliveryStore
  readonly holder: string
  readonly findSend: FindSend
  readonly log: Log
  readonly now: () => number
  /** Runs something later; answers how to prevent it. */
  readonly wait: (ms: number, run: () => void) => () => void
}

export interface NewMessage {
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
  #armings = 0
  #cancelTimer: () => void = () => undefined
  #round: Promise<void> | null = null
  #stopping = false

  constructor(parts: DeliveriesParts) {
    this.#parts = parts
  }

  /** Goes on with what an earlier daemon left. A try that it did not see the end of is made again. */
  async start(): Promise<void> {
    const { store, holder, now, log } = this.#parts
    try {
      await store.release(holder, isoTime(now()))
    } catch (error) {
      // A store that cannot be written must not keep the daemon from starting.
      log.error('Interrupted deliveries could not be taken up', { cause: String(error) })
    }
    await this.#arm()
  }

  /** Stores a message and tries it once; what became of it is the result. */
  submit(delivery: NewMessage, send: Send): Promise<Result> {
    return this.#watched(this.#submit(delivery, send))
  }

  /** Tries all whose time has come; one round at a time. */
  runDue(): Promise<void> {
    this.#round ??= this.#runRound()
    return this.#round
  }

  /** Newest first, of one agent or of all. */
  list(
    agentId: string | null,
    limit: number = LIMITS.listedDeliveries,
    part: DeliveryPart = {},
  ): Promise<readonly DeliveryRow[]> {
    return this.#parts.store.newest(agentId, limit, part)
  }

  get(id: string): Promise<DeliveryRow | null> {
    return this.#parts.store.byId(id)
  }

  /** Tries one again that waits or failed, as if it had been written now. False: there is none of that kind. */
  async retry(id: string): Promise<boolean> {
    const isDue = await this.#parts.store.retry(id, isoTime(this.#parts.now()))
    if (isDue) await this.#arm()
    return isDue
  }

  /** Something may be due of which this daemon has not heard: its agent came here, or it was asked for on another node. */
  look(): Promise<void> {
    return this.#arm()
  }

  /** Everything of an agent that is no more. */
  drop(agentId: string): Promise<number> {
    return inBatches((limit) => this.#parts.store.remove(agentId, limit))
  }

  prune(): Promise<number> {
    const before = isoTime(this.#parts.now() - LIMITS.deliveryKeepMs)
    return inBatches((limit) => this.#parts.store.prune(before, limit))
  }

  /** Ends the tries that are under way; their messages wait for the next daemon. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#cancelTimer()
    for (const attempt of this.#attempts) attempt.abort(STOPPED)
    await Promise.allSettled(this.#underWay)
  }

  async #submit(given: NewMessage, send: Send): Promise<Result> {
    const { store, holder, now } = this.#parts
    if (this.#stopping)
      return fail('CANCELLED', 'The daemon stops; the message was not sent', 'Send it again when it runs')
    if ((await store.countOpen(given.agentId, LIMITS.deliveriesWaiting)) >= LIMITS.deliveriesWaiting) {
      return fail('LIMIT_REACHED', `${LIMITS.deliveriesWaiting} messages wait already`, 'string deliveries shows them')
    }
    const id = `dlv_${randomBytes(16).toString('hex')}`
    const delivery = await store.add({ id, ...given, createdAt: isoTime(now()) }, holder)
    return this.#result(await this.#try(delivery, { ok: true, send }))
  }

  async #runRound(): Promise<void> {
    const { store, holder, now, log } = this.#parts
    this.#isTroubled = false
    try {
      await this.#storeLate()
      for (;;) {
        if (this.#stopping) break
        const due = await store.claim(holder, isoTime(now()), LIMITS.deliveriesAtOnce)
        if (due.length === 0) break
        await Promise.all(due.map((delivery) => this.#watched(this.#retry(delivery))))
      }
    } catch (error) {
      // A database that cannot be written now; the timer comes back to it.
      this.#isTroubled = true
      log.error('Deliveries could not be tried', { cause: String(error) })
    } finally {
      this.#round = null
    }
    await this.#arm()
  }

  async #retry(delivery: DeliveryRow): Promise<void> {
    await this.#try(delivery, this.#parts.findSend(delivery.agentId, delivery.channel, delivery.target))
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
    if (after.state === 'waiting') await this.#arm()
    return after
  }

  async #store(delivery: DeliveryRow): Promise<void> {
    this.#unstored.set(delivery.id, delivery)
    try {
      await this.#storeLate()
    } catch (error) {
      await this.#arm()
      throw error
    }
  }

  async #storeLate(): Promise<void> {
    const rows = [...this.#unstored.values()]
    if (rows.length === 0) return
    // One that another took over meanwhile, or whose agent is gone, is not ours to settle any more.
    await Promise.all(rows.map((row) => this.#parts.store.settle(row)))
    for (const { id } of rows) this.#unstored.delete(id)
  }

  async #send({ id, target, text, createdAt }: DeliveryRow, found: ReturnType<FindSend>): Promise<Tried> {
    if (!found.ok) return found.code === 'LOAD_ERROR' ? later(found.system) : refusedForGood(found.system)
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
  async #arm(): Promise<void> {
    this.#armings += 1
    const own = this.#armings
    const ms = await this.#msToNext()
    // Who asked later knows more.
    if (own !== this.#armings || this.#stopping) return
    this.#cancelTimer()
    if (ms !== null) this.#cancelTimer = this.#parts.wait(ms, () => void this.runDue())
  }

  async #msToNext(): Promise<number | null> {
    const { store, holder, now, log } = this.#parts
    if (this.#isTroubled || this.#unstored.size > 0) return LIMITS.deliveryPollMs
    try {
      const next = await store.nextAt(holder)
      if (next === null) return null
      return Math.min(Math.max(Date.parse(next) - now(), 0), LIMITS.deliveryPollMs)
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
  return refusedForGood(`given up after 24 h: ${reason ?? 'it could not be tried'}`)
}
