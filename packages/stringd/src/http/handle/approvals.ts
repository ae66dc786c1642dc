import { APPROVAL_STATES, type ApprovalView, LIMITS, parseApprovalAnswer } from '@string-os/protocol'
import { viewApproval } from '../../approvals/approval-view.ts'
import type { Exchange, Services } from '../route.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { sendError, sendJson } from '../serve/respond.ts'
import { listPart, wordOf } from './list-part.ts'
import { unknownId } from './unknown-id.ts'

/** Questions to people: those that wait oldest first, all others newest first. */
export async function listApprovals({ response, query }: Exchange, { approvals }: Services): Promise<void> {
  const given = query()
  const asked = listPart(given, LIMITS.listedApprovals, LIMITS.listedApprovalsMax)
  if (!asked.ok) return sendError(response, 400, asked.error)
  const state = wordOf(given, 'state', APPROVAL_STATES)
  if (!state.ok) return sendError(response, 400, state.error)
  const { agentId, limit, before } = asked.value
  const isWaiting = state.value === 'waiting' && before === null
  const after = given.get('after') ?? (isWaiting ? '' : null)
  const found = await approvals.list({
    agentId,
    turnId: given.get('turn_id'),
    state: state.value,
    before,
    after,
    limit,
  })
  sendJson(response, 200, { approvals: found.map(viewApproval) })
}

export async function showApproval({ response, params }: Exchange, { approvals }: Services): Promise<void> {
  const approval = await approvals.get(params.id ?? '')
  if (approval === null) return sendError(response, 404, unknownId('approval', params.id))
  sendJson(response, 200, viewApproval(approval))
}

/** A person decides; who comes later is told who was first. */
export async function answerApproval(
  { response, params, json, bytes }: Exchange,
  { approvals }: Services,
): Promise<void> {
  const answer = json.ok ? parseApprovalAnswer(json.value) : json
  if (!answer.ok) return sendBodyError({ response, bytes }, answer.error)
  const answered = await approvals.answer(params.id ?? '', answer.value)
  if (answered === null) return sendError(response, 404, unknownId('approval', params.id))
  const approval = viewApproval(answered.approval)
  if (answered.isFirst) return sendJson(response, 200, approval)
  sendJson(response, 409, { error: 'ANSWERED', message: whatWasFirst(approval), approval })
}

function whatWasFirst({ id, state, answered_by, answered_at }: ApprovalView): string {
  const when = answered_at ?? ''
  if (state === 'expired') return `${id} expired at ${when}: nobody had answered`
  if (state === 'withdrawn') return `${id} was withdrawn at ${when}: its turn does not wait any more`
  return `${id} was ${state} by ${answered_by ?? ''} at ${when}`
}
