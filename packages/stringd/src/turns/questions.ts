import { type ApprovalAnswer, LIMITS } from '@string-os/protocol'
import { viewApproval } from '../approvals/approval-view.ts'
import type { ApprovalAsked } from '../approvals/approvals.ts'
import type { LiveTurn } from './live-turn.ts'
import type { TurnsParts } from './turns-parts.ts'

/** What turns ask people: while they wait for an answer, they are `waiting`. */
export class Questions {
  readonly #parts: TurnsParts
  readonly #changed: (live: LiveTurn) => void
  readonly #stored = new WeakMap<LiveTurn, Promise<void>>()

  constructor(parts: TurnsParts, changed: (live: LiveTurn) => void) {
    this.#parts = parts
    this.#changed = changed
  }

  /** What earlier runs asked, for whoever looks at this one. */
  async recall(live: LiveTurn): Promise<void> {
    const { id: turnId, claim } = live.turn
    if (claim <= 1) return
    try {
      const query = { agentId: null, turnId, state: null, before: null, after: '', limit: LIMITS.listedApprovalsMax }
      for (const approval of await this.#parts.approvals.list(query)) live.recall(viewApproval(approval))
    } catch (error) {
      this.#parts.log.warn('What a turn asked before is not known', { turn: turnId, cause: String(error) })
    }
  }

  /** `over`: the process that asked is gone. */
  async ask(
    live: LiveTurn,
    question: Pick<ApprovalAsked, 'kind' | 'question' | 'detail' | 'digest' | 'refusal' | 'timeoutMs'>,
    over: AbortSignal,
  ): Promise<ApprovalAnswer> {
    const { id: turnId, agentId, claim: run } = live.turn
    try {
      return await this.#parts.approvals.ask(
        { ...question, turnId, agentId, run },
        {
          signal: over,
          onChange: (approval) => {
            live.approval(viewApproval(approval))
            if (approval.state === 'waiting') void this.#wait(live, true)
          },
          // The next daemon may run it again, and then it asks again.
          mayComeBack: () => live.endReason === 'stop' || live.endReason === 'lost',
        },
      )
    } finally {
      await this.#wait(live, false)
    }
  }

  /** The turn is over, and with it what it asked in an earlier run. */
  end(live: LiveTurn): void {
    const { id, claim } = live.turn
    if (live.approvals.length === 0 && claim <= 1) return
    this.#parts.approvals
      .endTurn(id)
      .catch((error: unknown) => this.#parts.log.warn('What a turn asked is not withdrawn', { cause: String(error) }))
  }

  /** One after the other, so that the last is what is stored. */
  #wait(live: LiveTurn, isWaiting: boolean): Promise<void> {
    const stored = (this.#stored.get(live) ?? Promise.resolve()).then(() => this.#store(live, isWaiting))
    this.#stored.set(live, stored)
    return stored
  }

  async #store(live: LiveTurn, isWaiting: boolean): Promise<void> {
    const { turn } = live
    const state = isWaiting ? 'waiting' : 'running'
    if (turn.state === state || (turn.state !== 'running' && turn.state !== 'waiting')) return
    live.turn = { ...turn, state }
    this.#changed(live)
    try {
      await this.#parts.store.turns.wait(turn, isWaiting)
    } catch (error) {
      // How it stands in the store is of use to those who list turns alone.
      this.#parts.log.warn('That a turn waits for a person is not stored', { turn: turn.id, cause: String(error) })
    }
  }
}
