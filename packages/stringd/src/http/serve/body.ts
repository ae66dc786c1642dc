import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalid, LIMITS, type Parsed, quoted, valid } from '@string-os/protocol'
import type { RequestHead } from '../message.ts'
import type { RawBody, Route } from '../route.ts'
import type { BodyRoom } from './body-room.ts'

/** Whether a request brings a body at all. */
export function hasBody({ headers }: Pick<RequestHead, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function isJson({ headers: { 'content-type': type = '' } }: RequestHead): boolean {
  return type === 'application/json' || /^\s*application\/json\s*(?:;|$)/i.test(type)
}

/** Why a body that is encoded is refused; null where it is not. */
function encodedBody({ headers: { 'content-encoding': encoding } }: RequestHead): string | null {
  return encoding === undefined ? null : `Content-Encoding is not taken: ${quoted(encoding)}`
}

/** `too-large`, or `no-room` when all bodies together are, or `gone` when the client left before all had come. */
type NoBody = 'too-large' | 'no-room' | 'gone'

/** The bytes of a body, or why there are none. What was read stays counted until the request is forgotten. */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  room: BodyRoom,
): Promise<{ ok: true; bytes: Buffer } | { ok: false; reason: NoBody }> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return resolve({ ok: false, reason: 'too-large' })
    let chunks: Buffer[] = []
    let length = 0
    const refuse = (reason: NoBody): void => {
      chunks = []
      length = Number.POSITIVE_INFINITY
      room.forget(request)
      resolve({ ok: false, reason })
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length === Number.POSITIVE_INFINITY) return
      if (length > limitBytes) refuse('too-large')
      else if (room.take(request, chunk.length)) chunks.push(chunk)
      else refuse('no-room')
    })
    request.on('end', () => {
      const [first] = chunks
      resolve({ ok: true, bytes: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks) })
    })
    request.on('close', () => {
      if (!request.complete) refuse('gone')
    })
    return undefined
  })
}

const JSON_BODY: RawBody = {
  limitBytes: LIMITS.requestBodyBytes,
  name: 'Request body',
  refuse: (request) => (isJson(request) ? encodedBody(request) : 'Content-Type must be application/json'),
}

/** What a route takes. */
export function bodyRules(route: Route): RawBody {
  return route.raw ?? JSON_BODY
}

/** The body of a route as JSON; where there is none, what was expected. */
export function jsonOf({ raw, expects }: Route, bytes: Buffer): Parsed<unknown> {
  const expected = expects ?? 'no body'
  return raw === undefined && bytes.length > 0 ? parseJsonBody(bytes, expected) : notAsExpected(expected)
}

/** `expected` is shown to whoever sent something else. */
export function parseJsonBody(bytes: Buffer, expected: string): Parsed<unknown> {
  if (!isUtf8(bytes)) return invalid(`Invalid JSON body: it is not UTF-8 — expected ${expected}`)
  try {
    return !isTooMuch(bytes) ? valid(JSON.parse(bytes.toString('utf8')) as unknown) : notAsExpected(expected)
  } catch {
    // Whatever is wrong with it, the caller needs to know what would be right.
    return notAsExpected(expected)
  }
}

function notAsExpected(expected: string): Parsed<unknown> {
  return invalid(`Invalid JSON body — expected ${expected}`)
}

/** Deep nesting and many values cost the parser far more than their size; no request of ours needs any. */
function isTooMuch(bytes: Buffer): boolean {
  if (bytes.length < LIMITS.jsonDepth) return false
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (inText) {
      if (byte === 0x5c) at += 1
      else if (byte === 0x22) inText = false
    } else if (byte === 0x22) inText = true
    else if (byte === 0x2c || byte === 0x3a) values += 1
    else if (byte === 0x5b || byte === 0x7b) depth += 1
    else if (byte === 0x5d || byte === 0x7d) depth -= 1
    if (depth > LIMITS.jsonDepth || values > LIMITS.jsonValues) return true
  }
  return false
}

/**
 * Ends an exchange whose request is still coming in: goes on reading for a moment and throws it away. A socket closed
 * with unread bytes resets the connection, and the client would never see the answer.
 */
export function endAfterDrain(request: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => request.destroy(), LIMITS.drainMs)
  const done = (): void => {
    clearTimeout(timer)
    response.end()
  }
  request.once('end', done)
  request.once('close', done)
  request.resume()
}
