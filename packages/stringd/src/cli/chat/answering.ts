import type { ApprovalView, StringClient } from '@string-os/client'
import { shortId, visibleLine } from '@string-os/protocol'
import { outcome } from '../approvals/approval-text.ts'
import { ownUser } from '../approvals/decide.ts'
import type { TurnHooks } from '../bridge/agent-turn.ts'
import { inOwnName } from '../program-name.ts'
import { fitText } from '../terminal/cells.ts'

/** Of what will run; `string approvals` has all of it. */
const SHOWN_COLUMNS = 200

/** Puts what an agent asks to whoever sits here, and says when somebody else was faster. */
export class Answering {
  readonly #client: StringClient
  readonly #hooks: TurnHooks
  /** Those that are being put, and how to stop that. */
  readonly #open = new Map<string, AbortController>()
  /** Those that somebody here was told of. */
  readonly #told = new Set<string>()
  /** Those that were answered here. */
  readonly #own = new Set<string>()

  constructor(client: StringClient, hooks: TurnHooks) {
    this.#client = client
    this.#hooks = hooks
  }

  take(approval: ApprovalView): void {
    if (approval.state === 'waiting') return void this.#put(approval)
    this.#open.get(approval.id)?.abort()
    // What was decided before anybody came here is no news.
    if (this.#told.has(approval.id) && !this.#own.has(approval.id)) this.#hooks.onNote?.(outcome(approval))
  }

  end(): void {
    for (const asking of this.#open.values()) asking.abort()
  }

  async #put(approval: ApprovalView): Promise<void> {
    const { id } = approval
    this.#told.add(id)
    const { onApproval, onWarning, onNote } = this.#hooks
    if (onApproval === undefined)
      return onNote?.(
        inOwnName(
          `${approval.question}${whatRuns(approval)}; it waits for string approve ${shortId(id)}, or string deny ${shortId(id)}`,
        ),
      )
    const asking = new AbortController()
    this.#open.set(id, asking)
    try {
      const answer = await onApproval(approval, asking.signal)
      if (answer === null) return
      this.#own.add(id)
      const { message } = await this.#client.approvals.answer(id, answer, { by: ownUser() })
      if (message !== null) onNote?.(message)
    } catch (error) {
      onWarning?.(error instanceof Error ? error.message : String(error))
    } finally {
      this.#open.delete(id)
    }
  }
}

/** What is decided about, as far as it fits into a sentence: nobody should answer without having seen it. */
function whatRuns({ detail }: ApprovalView): string {
  const text = visibleLine(detail.replace(/\s+/g, ' ').trim())
  return text === '' ? '' : `: ${fitText(text, SHOWN_COLUMNS)}`
}
