import type { McpAnswer } from './http-message.ts'
import type { Inbound } from './message.ts'
import { callTool, type McpExec, TOOL } from './tool.ts'

/** Revisions in which a call means no more than its name and arguments say. */
const PLAIN_VERSIONS: readonly (string | undefined)[] = [undefined, '2025-03-26', '2025-06-18', '2025-11-25']

/**
 * Answers a well-formed call of the tool without the SDK, which would take longer than most commands. Null for
 * everything else: the SDK knows what to say to it.
 */
export async function answerPlainCall(
  inbound: Inbound,
  version: string | undefined,
  exec: McpExec,
): Promise<McpAnswer | null> {
  if (inbound.kind !== 'request' || !PLAIN_VERSIONS.includes(version)) return null
  const { id, method, params = {} } = inbound.message
  if (method !== 'tools/call' || params.name !== TOOL.name || params._meta !== undefined) return null
  const result = await callTool(params.arguments, exec)
  return result === null ? null : { status: 200, body: { jsonrpc: '2.0', id, result } }
}
