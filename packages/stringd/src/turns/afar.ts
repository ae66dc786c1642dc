import { LIMITS, type TurnEvent, type TurnStepView } from '@string-os/protocol'
import { viewApproval } from '../approvals/approval-view.ts'
import type { TurnDetail, TurnRow } from '../store/groups/turns.ts'
import type { Store } from '../store/store.ts'
import { askedBy } from './asked-by.ts'
import type { Follower } from './live-turn.ts'
import { NO_DETAIL, summaryOf } from './turn-view.ts'
import { PAUSE_MS } from './turns-parts.ts'

/** What whoever follows a turn has been told of its last run. */
interface Heard {
  claim: number
  /** Characters of its text that are known to the follower, and those that need not be told. */
  chars: number
  skip: number
  steps: number
  /** How questions to a person stood. */
  readonly approvals: Map<string, string>
  place: number
  isStarted: boolean
  isQueuedTold: boolean
  readonly follower: Follower
}

/** Follows turns that another node runs, by what is stored of them. Signs say when to look; now and then it looks anyway. */
export class Afar {
  readonly #store: Store
  readonly #lookers = new Map<string, Set<() => void>>()
  #isOver = false

  constructor(store: Store) {
    this.#store = store
    store.onSign(({ kind, id }) => {
      if (kind === 'turn') this.look(id)
    })
  }

  /** Whoever follows the turn looks now. */
  look(id: string): void {
    for (const look of this.#lookers.get(id) ?? []) look()
  }

  stop(): void {
    this.#isOver = true
    for (const id of this.#lookers.keys()) this.look(id)
  }

  /** Tells what happens until its result; without the first `from` characters of its text. Answers how to stop. */
  follow(id: string, from: number, follower: Follower, done: () => void): () => void {
    const heard: Heard = {
      claim: -1,
      chars: 0,
      skip: from,
      steps: 0,
      approvals: new Map(),
      place: 0,
      isStarted: false,
      isQueuedTold: false,
      follower,
    }
    const looks = this.#lookers.get(id) ?? new Set()
    this.#lookers.set(id, looks)
    let isWanted = true
    let wake: () => void = () => undefined
    const look = (): void => wake()
    looks.add(look)
    const end = (): void => {
      isWanted = false
      looks.delete(look)
      if (looks.size === 0 && this.#lookers.get(id) === looks) this.#lookers.delete(id)
      wake()
    }
    const run = async (): Promise<void> => {
      let isAsked = false
      while (isWanted && !this.#isOver) {
        let ms: number = LIMITS.storeLookMs
        // Heard before the store is asked: what comes in between counts.
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        try {
          if (!isAsked) await this.#store.relay.askNews(id)
          isAsked = true
          if (await this.#look(id, heard)) break
        } catch {
          ms = PAUSE_MS
        }
        const timer = setTimeout(() => wake(), ms)
        await woken
        clearTimeout(timer)
      }
      if (isWanted) done()
      end()
    }
    void run()
    return end
  }

  /** The text and steps of a run that another node does, as far as they are stored. */
  async detail(id: string, claim: number): Promise<TurnDetail> {
    const steps: TurnStepView[] = []
    let partial = ''
    for (const news of await this.#store.relay.heard(id, 0, LIMITS.removedAtOnce)) {
      if (news.claim !== claim) continue
      for (const event of news.events) {
        if (event.type === 'partial') partial += event.text
        else if (event.type === 'step') steps.push(stepOf(event))
      }
    }
    return { ...NO_DETAIL, steps, partial }
  }

  /** True when it is over. */
  async #look(id: string, heard: Heard): Promise<boolean> {
    const { turns } = this.#store
    const turn = await turns.byId(id)
    if (turn === null) return true
    if (turn.state === 'queued') await this.#waits(turn, heard)
    else {
      this.#runs(turn, heard)
      await this.#news(turn, heard)
    }
    const { result } = summaryOf(turn)
    if (turn.endedAt === null || result === null) return false
    this.#rest((await turns.detail(id)) ?? NO_DETAIL, heard)
    await this.#restOfApprovals(id, heard)
    heard.follower({ type: 'result', state: turn.state, ...result })
    return true
  }

  async #waits(turn: TurnRow, heard: Heard): Promise<void> {
    if (heard.isQueuedTold && !heard.isStarted) return
    const open = await this.#store.relay.openOf(turn.agentId, '', LIMITS.removedAtOnce)
    const before = open.filter(
      ({ turn: other }) => other.session === turn.session && other.state === 'queued' && other.id < turn.id,
    )
    heard.isQueuedTold = true
    heard.isStarted = false
    heard.follower({ type: 'queued', turn_id: turn.id, position: before.length + 1 })
  }

  #runs(turn: TurnRow, heard: Heard): void {
    if (heard.isStarted && heard.claim === turn.claim) return
    if (heard.claim !== -1) heard.skip = 0
    heard.claim = turn.claim
    heard.chars = 0
    heard.steps = 0
    heard.isStarted = true
    heard.follower({ type: 'start', turn_id: turn.id })
  }

  async #news(turn: TurnRow, heard: Heard): Promise<void> {
    for (;;) {
      const page = await this.#store.relay.heard(turn.id, heard.place, LIMITS.eventsAtOnce)
      for (const { place, claim, events } of page) {
        heard.place = place
        if (claim === heard.claim) for (const event of events) this.#tell(event, heard)
      }
      if (page.length < LIMITS.eventsAtOnce) return
    }
  }

  #tell(event: TurnEvent, heard: Heard): void {
    if (event.type === 'step') heard.steps += 1
    if (event.type === 'approval') heard.approvals.set(event.id, event.state)
    if (event.type !== 'partial') return heard.follower(event)
    const known = Math.max(0, heard.skip - heard.chars)
    heard.chars += event.text.length
    const text = event.text.slice(known)
    if (text !== '') heard.follower({ type: 'partial', text })
  }

  async #restOfApprovals(turnId: string, heard: Heard): Promise<void> {
    const asked = await this.#store.approvals.list(askedBy(turnId))
    for (const approval of asked.map(viewApproval)) {
      if (heard.approvals.get(approval.id) !== approval.state) this.#tell({ type: 'approval', ...approval }, heard)
    }
  }

  /** What was stored at its end and not heard before. */
  #rest({ partial, steps }: TurnDetail, heard: Heard): void {
    const text = partial.slice(heard.chars)
    if (text !== '') this.#tell({ type: 'partial', text }, heard)
    for (const step of steps.slice(heard.steps)) this.#tell({ type: 'step', ...step }, heard)
  }
}

function stepOf({ index, text, blocks, duration_ms }: TurnStepView): TurnStepView {
  return { index, text, blocks, duration_ms }
}
