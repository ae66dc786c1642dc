import type { ApprovalAnswer, ApprovalState, ApprovalView } from '@string-os/protocol'
import { type Caller, type ListPart, pathOf, queryOf } from './calls.ts'

export interface ApprovalFilter extends ListPart {
  readonly agent?: string | undefined
  readonly turn?: string | undefined
  readonly state?: ApprovalState | undefined
  /** Newer than this one, oldest first. */
  readonly after?: string | undefined
}

export interface ApprovalOptions {
  readonly note?: string | undefined
  /** Who decides. */
  readonly by?: string | undefined
}

/** What became of an answer: it counts, or another was first. */
export interface ApprovalOutcome {
  readonly isFirst: boolean
  readonly approval: ApprovalView
  /** Who was first, in a sentence; null where this one was. */
  readonly message: string | null
}

interface Late {
  readonly approval: ApprovalView
  readonly message: string
}

/** `client.approvals`: questions of every agent to people. */
export interface ApprovalCalls {
  /** Those that wait oldest first, all others newest first. */
  readonly list: (filter?: ApprovalFilter) => Promise<ApprovalView[]>
  readonly get: (id: string) => Promise<ApprovalView>
  readonly answer: (id: string, answer: ApprovalAnswer, options?: ApprovalOptions) => Promise<ApprovalOutcome>
}

export function approvalCalls({ json }: Caller): ApprovalCalls {
  return {
    list: async ({ agent, turn, state, limit, before, after } = {}) => {
      const path = `/approvals${queryOf({ agent_id: agent, turn_id: turn, state, limit, before, after })}`
      const { approvals } = await json<{ approvals: ApprovalView[] }>({ method: 'GET', path })
      return approvals
    },
    get: (id) => json({ method: 'GET', path: pathOf(['approvals', id]) }),
    answer: async (id, answer, { note, by } = {}) => {
      const call = {
        method: 'POST',
        path: pathOf(['approvals', id]),
        body: { answer, note, by },
        accepts: 409,
      } as const
      // An answer that came too late has the approval inside.
      const said = await json<ApprovalView & Partial<Late>>(call)
      const { approval = said, message = null } = said
      return { isFirst: approval === said, approval, message }
    },
  }
}
