import { hash } from 'node:crypto'
import { LIMITS, type Masker, quoted, visibleText } from '@string-os/protocol'
import type { ApprovalAsked } from './approvals.ts'

/** What an agent wants to use a tool for. */
export interface PermissionAsked {
  readonly tool_name: string
  readonly input: unknown
}

/** What a person is shown of it: all that will run, what cannot be seen made visible, secrets hidden. */
export function permissionQuestion(
  { tool_name, input }: PermissionAsked,
  secrets: Masker,
): Pick<ApprovalAsked, 'kind' | 'question' | 'detail' | 'digest' | 'refusal'> {
  const exact = JSON.stringify(input, null, 2) ?? ''
  const shown = visibleText(secrets.mask(exact))
  const isTooLong = shown.length > LIMITS.approvalDetailChars
  return {
    kind: 'permission',
    question: `It asks to use ${quoted(secrets.mask(tool_name))}`,
    detail: isTooLong ? bothEnds(shown) : shown,
    digest: hash('sha256', JSON.stringify(['permission', tool_name, input]), 'base64'),
    // What cannot be read whole cannot be allowed.
    refusal: isTooLong ? `It is ${shown.length} characters long, too long to be shown whole` : null,
  }
}

function bothEnds(text: string): string {
  const half = LIMITS.shownInputChars / 2
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n(… ${left} of ${text.length} characters are not shown …)\n${text.slice(-half)}`.toWellFormed()
}
