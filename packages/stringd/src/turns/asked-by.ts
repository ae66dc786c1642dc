import { LIMITS } from '@string-os/protocol'
import type { ApprovalQuery } from '../store/groups/approvals.ts'

/** What a turn asked people, oldest first. */
export function askedBy(turnId: string): ApprovalQuery {
  return { agentId: null, turnId, state: null, before: null, after: '', limit: LIMITS.listedApprovalsMax }
}
