import type { TurnSummary, TurnView } from '@string-os/protocol'
import { viewApproval } from '../approvals/approval-view.ts'
import { hasRunBefore, type TurnRow } from '../store/groups/turns.ts'
import type { Afar } from './afar.ts'
import { askedBy } from './asked-by.ts'
import type { Follower } from './live-turn.ts'
import { replay } from './replay.ts'
import type { Runner } from './runner.ts'
import { NO_DETAIL, printedBy, progressOf, summaryOf, viewTurn } from './turn-view.ts'
import type { TurnsParts } from './turns-parts.ts'

/** The text of so many turns is read at once. */
const READ_AT_ONCE = 8

/** Nobody repeats what failed oftener in a row. */
const RETRIES_FOLLOWED = 32

/** One turn as people see it, wherever it runs: as it stands, and while it goes on. */
export class TurnViews {
  readonly #parts: TurnsParts
  readonly #runner: Runner
  readonly #afar: Afar

  constructor(parts: TurnsParts, runner: Runner, afar: Afar) {
    this.#parts = parts
    this.#runner = runner
    this.#afar = afar
  }

  async get(id: string): Promise<TurnView | null> {
    const view = await this.#view(id)
    if (view === null) return null
    const { nodeId, lost } = await this.#parts.store.relay.story(id)
    if (nodeId === null) return view
    const { nameOf } = this.#parts.fleet
    const lost_runs = lost.map(({ nodeId: node, startedAt, foundAt }) => ({
      node: nameOf(node),
      started_at: startedAt,
      found_at: foundAt,
    }))
    return { ...view, node: nameOf(nodeId), ...(lost_runs.length === 0 ? {} : { lost_runs }) }
  }

  /** As it is stored, so that it agrees with lists; what only its run knows is added while it runs. */
  async #view(id: string): Promise<TurnView | null> {
    const { turns } = this.#parts.store
    const stored = await turns.byId(id)
    const live = this.#runner.lanes.byId(id)
    const turn = stored ?? live?.turn ?? null
    if (turn === null) return null
    const isRunning = turn.state === 'running' || turn.state === 'waiting'
    if (isRunning && live?.turn.claim === turn.claim)
      return { ...viewTurn(turn, live.detail, live.approvals), ...progressOf(live), ...printedBy(live) }
    // One that waits for its next run has the text of the last.
    const [kept, said, asked, retry] = await Promise.all([
      turns.detail(id),
      isRunning ? this.#afar.detail(id, turn.claim) : null,
      this.#parts.approvals.list(askedBy(id)),
      this.#retryOf(turn),
    ])
    const tries = kept?.tries ?? []
    const detail = said ?? kept ?? NO_DETAIL
    return viewTurn(turn, tries.length === 0 ? detail : { ...detail, tries }, asked.map(viewApproval), retry)
  }

  /** As in a list. What went wrong in earlier runs is kept with the text of a turn, which is read of those alone that ran before. */
  async summary(turn: TurnRow): Promise<TurnSummary> {
    const [detail, retry] = await Promise.all([
      hasRunBefore(turn) ? this.#parts.store.turns.detail(turn.id) : null,
      this.#retryOf(turn),
    ])
    return summaryOf(turn, { tries: detail?.tries, retry })
  }

  /** The last turn to which its message came: one that was tried again may have been tried again itself. Null: none is kept. */
  async #retryOf({ retriedBy }: TurnRow): Promise<TurnRow | null> {
    let last: TurnRow | null = null
    for (let [next, left] = [retriedBy, RETRIES_FOLLOWED]; next !== null && left > 0; left -= 1) {
      const found = await this.#parts.store.turns.byId(next)
      if (found === null) return last
      last = found
      next = found.retriedBy
    }
    return last
  }

  /** The turn that is over and to which its message came last: what repeats it is behind that, so that no failure stands beside the way. */
  async lastRetry(turn: TurnRow): Promise<TurnRow> {
    const last = await this.#retryOf(turn)
    return last === null || last.endedAt === null ? turn : last
  }

  async summaries(turns: readonly TurnRow[]): Promise<TurnSummary[]> {
    const found: TurnSummary[] = []
    for (let at = 0; at < turns.length; at += READ_AT_ONCE)
      found.push(...(await Promise.all(turns.slice(at, at + READ_AT_ONCE).map((turn) => this.summary(turn)))))
    return found
  }

  /**
   * Tells what has happened in a turn and what happens from now on, until its result; without the first `from` characters
   * of its text. Null without such a turn; else how to stop listening.
   */
  async follow(id: string, from: number, follower: Follower, done: () => void): Promise<(() => void) | null> {
    const live = this.#runner.lanes.byId(id)
    if (live === undefined) return this.#followStored(id, from, follower, done)
    replay(viewTurn(live.turn, live.detail, live.approvals), this.#runner.position(live), from, follower)
    let stop = live.follow(follower)
    let isWanted = true
    void live.ended.then(() => {
      if (!live.isTaken || !isWanted) return done()
      stop = this.#afar.follow(id, 0, follower, done)
    })
    return () => {
      isWanted = false
      stop()
    }
  }

  async #followStored(id: string, from: number, follower: Follower, done: () => void): Promise<(() => void) | null> {
    const view = await this.#view(id)
    if (view === null) return null
    if (view.ended_at === null && this.#parts.store.kind !== 'sqlite')
      return this.#afar.follow(id, from, follower, done)
    replay(view, 0, from, follower)
    done()
    return () => undefined
  }

  /** The text of a turn that runs, as far as it is kept, and the bytes of all of it. */
  textOf(id: string): { run: number; text: string; bytes: number } | null {
    const live = this.#runner.lanes.byId(id)
    if (live === undefined || live.turn.state === 'queued') return null
    return { run: live.turn.claim, text: live.detail.partial, bytes: live.textBytes }
  }
}
