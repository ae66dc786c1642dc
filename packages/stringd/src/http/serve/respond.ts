import { CORS_HEADERS } from '@string-os/protocol'
import type { TextReply } from '../message.ts'
import { nextStepOf } from './next-step.ts'

/** On every answer: errors, refusals and streams included. */
export const COMMON_HEADERS = { ...CORS_HEADERS, 'X-Content-Type-Options': 'nosniff' } as const

const JSON_HEADERS = { ...COMMON_HEADERS, 'Content-Type': 'application/json' } as const

const STREAM_HEADERS = {
  ...COMMON_HEADERS,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
} as const

/** The same as flat lists, which Node takes as they are: copying an object and adding to it takes longer than the rest of an answer. */
const JSON_HEADER_LIST: readonly string[] = Object.entries(JSON_HEADERS).flat()
const STREAM_HEADER_LIST: readonly string[] = Object.entries(STREAM_HEADERS).flat()

/** When to try again, which a page that is let in may read, too. */
export function retryAfter(secs: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(secs), 'Access-Control-Expose-Headers': 'Retry-After' }
}

export function sendJson(
  response: TextReply,
  status: number,
  body: object,
  headers?: Readonly<Record<string, string>>,
): void {
  const text = JSON.stringify(body)
  const list = [...JSON_HEADER_LIST, 'Content-Length', String(Buffer.byteLength(text))]
  response.writeHead(status, headers === undefined ? list : list.concat(...Object.entries(headers)))
  response.end(text)
}

/** An answer without a body. */
export function sendEmpty(response: TextReply, status: number): void {
  response.writeHead(status, { ...COMMON_HEADERS, 'Content-Length': 0 })
  response.end()
}

/** The reason, and what to do about it, where the reason does not say that. */
export function sendError(
  response: TextReply,
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): void {
  sendJson(response, status, { error, ...nextStepOf(status, error) }, headers)
}

/** Begins a stream whose end is not known yet. */
export function beginStream(response: TextReply): void {
  response.writeHead(200, STREAM_HEADERS)
}

/** The same for one JSON value, which may have white space before it. */
export function beginJson(response: TextReply): void {
  response.writeHead(200, JSON_HEADERS)
}

/** One JSON value, which heartbeats may have begun already. */
export function endJson(response: TextReply, body: object): void {
  if (!response.headersSent) return sendJson(response, 200, body)
  response.end(JSON.stringify(body))
}

/** A stream that is complete leaves in one write. */
export function sendStream(response: TextReply, text: string): void {
  if (!response.headersSent) {
    response.writeHead(200, [...STREAM_HEADER_LIST, 'Content-Length', String(Buffer.byteLength(text))])
  }
  response.end(text)
}

/** The same answer for a connection on which no request could be read. */
export function rawError(status: number, reason: string, error: string): string {
  const body = JSON.stringify({ error, ...nextStepOf(status, error) })
  const headers = { ...JSON_HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`
}
