import { type ApprovalView, shortId, visibleLine, visibleText } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'
import { dim, red } from '../terminal/color.ts'
import { wholeTime } from '../turns/time.ts'

/** A question with all that will run, and what became of it. */
export function approvalText(approval: ApprovalView, color: boolean): string {
  const { id, agent_id, question, detail, turn_id } = approval
  const lines = visibleText(detail).split('\n')
  return [
    `${shortId(id)}  ${agent_id}: ${visibleLine(question)}`,
    ...lines.map((line) => `  ${line}`),
    dim(`  ${outcome(approval)}${turn_id === null ? '' : `; turn ${shortId(turn_id)}`}`, color),
  ].join('\n')
}

/** What became of it, in one line. */
export function outcome({ id, state, answered_by, answered_at, note, expires_at }: ApprovalView): string {
  const when = answered_at === null ? '' : ` ${wholeTime(answered_at)}`
  const why = note === null ? '' : `: ${visibleLine(note)}`
  switch (state) {
    case 'waiting':
      return inOwnName(
        `waits until ${wholeTime(expires_at)}; string approve ${shortId(id)}, or string deny ${shortId(id)}`,
      )
    case 'expired':
      return `expired${when}: nobody answered, which is a no`
    case 'withdrawn':
      return `withdrawn${when}: its turn does not wait any more`
    case 'allowed':
    case 'denied':
      return `${state} by ${visibleLine(answered_by ?? '')}${when}${why}`
  }
}

/** One line for the history of a turn. */
export function approvalLine(approval: ApprovalView, color: boolean): string {
  const line = `${visibleLine(approval.question)}: ${outcome(approval)}`
  return approval.state === 'allowed' || approval.state === 'waiting' ? line : red(line, color)
}
