import type { ApprovalAnswer, ApprovalView } from '@string-os/protocol'
import { type Caller, pathOf, queryOf } from './calls.ts'
import { given, givenAnswer, known } from './option-names.ts'
import type { ApprovalFilter, ApprovalOptions } from './options.ts'

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
  /** One that comes too late is no error: `isFirst` is false. */
  readonly answer: (id: string, answer: ApprovalAnswer, options?: ApprovalOptions) => Promise<ApprovalOutcome>
}

export function approvalCalls({ json }: Caller): ApprovalCalls {
  return {
    list: async (filter = {}) => {
      const { agent, turn, state, limit, before, after } = known('approvals.list', filter)
      const path = `/approvals${queryOf({ agent_id: agent, turn_id: turn, state, limit, before, after })}`
      const { approvals } = await json<{ approvals: ApprovalView[] }>({ method: 'GET', path })
      return approvals
    },
    get: async (id) => {
      given('approvals.get', { id })
      return json({ method: 'GET', path: pathOf(['approvals', id]) })
    },
    answer: async (id, answer, options = {}) => {
      given('approvals.answer', { id, answer })
      givenAnswer('approvals.answer', answer)
      const { note, by } = known('approvals.answer', options)
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
