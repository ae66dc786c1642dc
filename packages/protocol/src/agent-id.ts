import { LIMITS } from './limits.ts'

const AGENT_ID = /^[A-Za-z0-9_@+-][A-Za-z0-9._@+-]*$/

/** Who speaks where nobody is named. */
export const DEFAULT_AGENT = 'default'

/** Whether `id` can name an agent. A valid one is always a plain file name, never `.` or `..`. */
export function isAgentId(id: string): boolean {
  return id.length <= LIMITS.agentIdChars && AGENT_ID.test(id)
}
