import type { ApprovalView } from '@string-os/protocol'
import { expect } from 'vitest'
import { call, type Reply } from '../../../../test/support/http.ts'

/** Asks for permission with whatever the message is as its input, and says what it was answered. */
export const ASKING_AGENT = `
read -r turn
message=$(printf '%s' "$turn" | sed -E 's/.*"message":("([^"\\\\]|\\\\.)*").*/\\1/')
printf '{"type":"permission_request","request_id":"r1","tool_name":"bash","input":{"command":%s}}\\n' "$message"
read -r answer
printf '{"type":"result","text":%s}\\n' "$(printf '%s' "$answer" | sed -E 's/.*"behavior":("[a-z]+").*/\\1/')"
`

export const ASKING_KEYS = 'wire: "0.4"\npermission: true\n'

export async function approvalsOf(port: number, query = ''): Promise<readonly ApprovalView[]> {
  const { json } = await call(port, 'GET', `/approvals${query}`)
  return (json as { approvals: ApprovalView[] }).approvals
}

/** The one that waits, as soon as it does. */
export async function waitingApproval(port: number): Promise<ApprovalView> {
  await expect.poll(async () => (await approvalsOf(port, '?state=waiting')).length).toBe(1)
  const [approval] = await approvalsOf(port, '?state=waiting')
  if (approval === undefined) throw new Error('None waits')
  return approval
}

export function answerApproval(port: number, id: string, body: object): Promise<Reply> {
  return call(port, 'POST', `/approvals/${id}`, { body })
}
