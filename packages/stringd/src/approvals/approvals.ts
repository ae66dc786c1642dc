import { type ApprovalAnswer, type ApprovalAnswered, LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import { EventIds, firstIdAt } from '../store/event-id.ts'
import type { ApprovalEnd, ApprovalQuery, ApprovalRow, ApprovalStore } from '../store/groups/approvals.ts'
import { inBatches } from '../store/in-batches.ts'
import { isoTime } from '../store/iso-time.ts'
import type { Store } from '../store/store.ts'

/** The time, and waiting for it. */
export interface ApprovalClock {
  readonly now: () => number
  /** Runs something later; answers how to prevent it. */
  readonly wait: (ms: number, run: () => void) => () => void
}

export interface ApprovalsParts {
  readonly store: Store
  readonly clock: ApprovalClock
  readonly log: Log
}

/** What a person is to decide. */
export interface ApprovalAsked
  extends Pick<ApprovalRow, 'agentId' | 'turnId' | 'run' | 'kind' | 'question' | 'detail' | 'digest'> {
  readonly timeoutMs: number
  /** Why nobody can be asked; then it is denied at once, and stored all the same. */
  readonly refusal: string | null
}

/** Who hears of it while it is asked. */
export interface Asker {
  /** Whoever asked is gone. */
  readonly signal: AbortSignal
  /** It is stored, or another than it was. */
  readonly onChange: (approval: ApprovalRow) => void
  /** Whoever asked may come back and ask the same again: what waits goes on waiting. */
  readonly mayComeBack: () => boolean
}

/** Who settles what no person did. */
const OURSELVES = 'string'
/** Where an answer cannot be stored now, it is tried again. */
const AGAIN_MS = 2_000
const PAUSE_MS = 1_000

/** Questions that wait for a person: stored before anybody is asked, settled once, and told to whoever asked. */
export class Approvals {
  readonly #parts: ApprovalsParts
  readonly #ids: EventIds
  /** Whoever waits for the end of one. */
  readonly #waiting = new Map<string, (approval: ApprovalRow) => void>()
  /** How to prevent that one expires. */
  readonly #expiries = new Map<string, () => void>()
  #looking: (() => void) | null = null
  #starting: (() => void) | null = null
  #isStopped = false

  constructor(parts: ApprovalsParts) {
    this.#parts = parts
    this.#ids = new EventIds(null, parts.clock.now, 'apr_')
    // Another daemon took an answer; should nobody say so, it is found.
    parts.store.onSign(({ kind, id }) => {
      if (kind === 'approval' && this.#waiting.has(id)) void this.#look()
    })
  }

  /** Takes up what an earlier daemon left, or another node, as soon as the store can be asked. */
  async start(): Promise<void> {
    if (this.#isStopped) return
    try {
      await this.#takeUp()
    } catch (error) {
      this.#trouble(error)
      this.#starting?.()
      this.#starting = this.#parts.clock.wait(PAUSE_MS, () => void this.start())
    }
  }

  /** What nobody can come back for is withdrawn. */
  async #takeUp(): Promise<void> {
    const { approvals, turns } = this.#parts.store
    for (let after = ''; ; ) {
      const page = await approvals.list({ ...ANY, state: 'waiting', after, limit: LIMITS.listedApprovalsMax })
      for (const approval of page) {
        const turn = approval.turnId === null ? null : await turns.byId(approval.turnId)
        const isOpen = turn !== null && ['queued', 'running', 'waiting'].includes(turn.state)
        if (isOpen) this.#expireLater(approval)
        else await this.#settle(approval.id, this.#withdrawn())
      }
      after = page.at(-1)?.id ?? ''
      if (page.length < LIMITS.listedApprovalsMax) return
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#starting?.()
    this.#looking?.()
    for (const prevent of this.#expiries.values()) prevent()
    this.#expiries.clear()
  }

  /** Asks, and waits until that is decided. The same question of an earlier run goes on under its id. */
  async ask(asked: ApprovalAsked, asker: Asker): Promise<ApprovalAnswer> {
    const { store } = this.#parts
    const { turnId, digest, run } = asked
    const before = turnId === null ? null : await store.approvals.askAgain(turnId, digest, run)
    const approval = before ?? (await this.#add(asked))
    asker.onChange(approval)
    const settled = await this.#settled(approval, asker)
    if (settled !== approval) asker.onChange(settled)
    const { answer } = settled
    // Stored before it is told: what was told once is never told again.
    return answer !== null && (await this.#take(settled.id, asker.signal)) ? answer : 'deny'
  }

  get(id: string): Promise<ApprovalRow | null> {
    return this.#parts.store.approvals.byId(id)
  }

  list(query: ApprovalQuery): Promise<ApprovalRow[]> {
    return this.#parts.store.approvals.list(query)
  }

  /** A person decides. Of several the first counts; all hear what it was. Null: there is no such question. */
  answer(id: string, { answer, note, by }: ApprovalAnswered): ReturnType<ApprovalStore['settle']> {
    const state = answer === 'allow' ? 'allowed' : 'denied'
    return this.#settle(id, { state, answer, answeredBy: by, answeredAt: this.#at(), note })
  }

  /** A turn is over: nobody waits for what it asked. */
  async endTurn(turnId: string): Promise<void> {
    const query = { ...ANY, turnId, state: 'waiting', limit: LIMITS.listedApprovalsMax } as const
    for (const { id } of await this.list(query)) await this.#settle(id, this.#withdrawn())
  }

  /** Everything of an agent that is no more. */
  drop(agentId: string): Promise<number> {
    return inBatches((limit) => this.#parts.store.approvals.remove(agentId, limit))
  }

  /** Forgets what was decided long ago. */
  prune(): Promise<number> {
    const before = firstIdAt(this.#parts.clock.now() - LIMITS.approvalKeepMs, 'apr_')
    return inBatches((limit) => this.#parts.store.approvals.prune(before, limit))
  }

  async #add({ timeoutMs, refusal, ...asked }: ApprovalAsked): Promise<ApprovalRow> {
    const { store, clock } = this.#parts
    const isFull = (await store.approvals.waiting(LIMITS.approvalsWaiting)).length >= LIMITS.approvalsWaiting
    const why = refusal ?? (isFull ? `${LIMITS.approvalsWaiting} questions wait already` : null)
    const now = clock.now()
    const approval: ApprovalRow = {
      ...asked,
      id: this.#ids.next(),
      createdAt: isoTime(now),
      expiresAt: isoTime(now + timeoutMs),
      isTaken: false,
      ...(why === null
        ? { state: 'waiting', answer: null, answeredBy: null, answeredAt: null, note: null }
        : { state: 'denied', answer: 'deny', answeredBy: OURSELVES, answeredAt: isoTime(now), note: why }),
    }
    await store.approvals.add(approval)
    return approval
  }

  /** What became of it, when that is known; the same when it was before. */
  async #settled(approval: ApprovalRow, { signal, mayComeBack }: Asker): Promise<ApprovalRow> {
    if (approval.state !== 'waiting') return approval
    this.#expireLater(approval)
    const decided = new Promise<ApprovalRow>((resolve) => this.#waiting.set(approval.id, resolve))
    const leave = (): void => {
      if (mayComeBack()) this.#waiting.get(approval.id)?.(approval)
      else void this.#settle(approval.id, this.#withdrawn()).catch((error: unknown) => this.#trouble(error))
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    this.#lookLater()
    try {
      return await decided
    } finally {
      signal.removeEventListener('abort', leave)
      this.#waiting.delete(approval.id)
    }
  }

  async #settle(id: string, end: ApprovalEnd): ReturnType<ApprovalStore['settle']> {
    const settled = await this.#parts.store.approvals.settle(id, end)
    if (settled !== null) this.#over(settled.approval)
    return settled
  }

  #over(approval: ApprovalRow): void {
    this.#expiries.get(approval.id)?.()
    this.#expiries.delete(approval.id)
    this.#waiting.get(approval.id)?.(approval)
  }

  /** As soon as the store can be asked, unless nobody wants to know any more. */
  async #take(id: string, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.#parts.store.approvals.take(id)
      } catch (error) {
        if (signal.aborted) return false
        this.#trouble(error)
        await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  }

  #expireLater({ id, expiresAt }: Pick<ApprovalRow, 'id' | 'expiresAt'>): void {
    const { clock } = this.#parts
    this.#expiries.get(id)?.()
    const expire = (): void => {
      // A clock may have been set, and no timer is as long as the longest wait.
      if (clock.now() < Date.parse(expiresAt)) return this.#expireLater({ id, expiresAt })
      const end: ApprovalEnd = {
        state: 'expired',
        answer: 'deny',
        answeredBy: OURSELVES,
        answeredAt: this.#at(),
        note: null,
      }
      this.#settle(id, end).catch((error: unknown) => {
        this.#trouble(error)
        this.#expiries.set(id, clock.wait(AGAIN_MS, expire))
      })
    }
    this.#expiries.set(id, clock.wait(Math.max(0, Date.parse(expiresAt) - clock.now()), expire))
  }

  /** Where several daemons share a store, another may have taken the answer. */
  #lookLater(): void {
    const { store, clock } = this.#parts
    if (store.kind === 'sqlite' || this.#looking !== null) return
    this.#looking = clock.wait(LIMITS.storeLookMs, () => {
      this.#looking = null
      void this.#look().finally(() => this.#waiting.size > 0 && this.#lookLater())
    })
  }

  async #look(): Promise<void> {
    try {
      for (const id of this.#waiting.keys()) {
        const approval = await this.get(id)
        if (approval !== null && approval.state !== 'waiting') this.#over(approval)
      }
    } catch (error) {
      this.#trouble(error)
    }
  }

  #withdrawn(): ApprovalEnd {
    return { state: 'withdrawn', answer: null, answeredBy: OURSELVES, answeredAt: this.#at(), note: null }
  }

  #at(): string {
    return isoTime(this.#parts.clock.now())
  }

  #trouble(error: unknown): void {
    this.#parts.log.warn('A question to a person waits for the store', { cause: String(error) })
  }
}

const ANY: ApprovalQuery = { agentId: null, turnId: null, state: null, before: null, after: null, limit: 1 }
