import { quoted } from '@string-os/protocol'
import type { PlainRoute } from '../route.ts'
import { sendError } from './respond.ts'

/** What is said to a method that a path does not have. */
export function noMethod(method: string, path: string): string {
  return `Method not allowed: ${method} ${quoted(path)}`
}

/**
 * Says so on the short way: every client of MCP asks with GET whether there is a stream, and would take the long way with
 * half of its calls after that.
 */
export function otherMethod(method: string, path: string, allow: string): PlainRoute {
  const error = noMethod(method, path)
  return {
    method: 'GET',
    path,
    expects: null,
    handle: ({ response }) => sendError(response, 405, error, { Allow: allow }),
  }
}
