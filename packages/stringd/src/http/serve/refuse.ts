import type { IncomingMessage, ServerResponse } from 'node:http'
import { endAfterDrain, hasBody } from './body.ts'
import { nextStepOf } from './next-step.ts'
import { COMMON_HEADERS, sendError } from './respond.ts'

/** Answers without having read the body, and lets the client finish sending it. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!hasBody(request) || request.complete) return sendError(response, status, error, headers)
  const text = JSON.stringify({ error, ...nextStepOf(status, error) })
  response.writeHead(status, {
    ...COMMON_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    ...headers,
  })
  response.write(text)
  endAfterDrain(request, response)
}
