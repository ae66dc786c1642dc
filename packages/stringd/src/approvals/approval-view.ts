import { APPROVAL_ANSWERS, type ApprovalView } from '@string-os/protocol'
import type { ApprovalRow } from '../store/groups/approvals.ts'

/** A question to a person as clients see it. */
export function viewApproval(approval: ApprovalRow): ApprovalView {
  const { id, agentId, turnId, kind, question, detail, createdAt, expiresAt, state } = approval
  const { answer, answeredBy, answeredAt, note } = approval
  return {
    id,
    agent_id: agentId,
    turn_id: turnId,
    kind,
    question,
    detail,
    choices: APPROVAL_ANSWERS,
    created_at: createdAt,
    expires_at: expiresAt,
    state,
    answer,
    answered_by: answeredBy,
    answered_at: answeredAt,
    note,
  }
}
