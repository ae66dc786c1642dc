import { LIMITS, replyBody } from '@string-os/protocol'
import type { ExecOutcome } from '../../runtime/exec-call.ts'

/** Room for the tags around an answer, for what is escaped in it, and for the line about what else there is. */
const ENVELOPE_BYTES = 512

/** What holds for a command that came through MCP: its clients are models, and wait for a minute. */
export function mcpRules() {
  return {
    deadline: performance.now() + LIMITS.mcpExecMs,
    answerBytes: LIMITS.mcpAnswerBytes - ENVELOPE_BYTES,
    announce: true,
  } as const
}

/** The body of an answer, and the line about what else there is. */
export function bodyWithNotice({ result, notice }: ExecOutcome & { kind: 'done' }): string {
  const body = replyBody(result)
  return notice === null ? body : `${body}\n\n${notice}`
}
