import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  type JSONRPCRequest,
  METHOD_NOT_FOUND,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { isFields, quoted } from '@string-os/protocol'
import { ExchangeTransport } from './exchange.ts'
import type { McpAnswer, McpHeaders } from './http-message.ts'
import { clientOf, instructionsFor } from './instructions.ts'
import { type Inbound, RPC_CODES, rpcError, withPlainError } from './message.ts'
import { createMcpServer, type McpServerOptions } from './server.ts'

/** What the SDK asks for before it looks at a body; ours was read and parsed already. */
const SDK_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

type AnswerParts = Pick<McpServerOptions, 'version' | 'exec'>

const ACCEPTED: McpAnswer = { status: 202, body: null }

/**
 * Answers one message over HTTP with one JSON value, in the era it speaks: with a handshake before (2025), or with all
 * that is to be known in each request (2026). Every message gets a server of its own; nothing is kept between two.
 */
export async function answer(inbound: Inbound, headers: McpHeaders, parts: AnswerParts): Promise<McpAnswer> {
  if (inbound.kind === 'invalid') return { status: 400, body: inbound.error }
  if (inbound.kind === 'response') return ACCEPTED
  const { message } = inbound
  const options = { ...parts, instructions: instructionsFor(clientOf(message.params), false) }
  const { 'mcp-protocol-version': version } = headers
  const claim = version === undefined ? {} : { protocolVersionHeader: version }
  const route = classifyInboundRequest({ httpMethod: 'POST', body: message, ...claim })
  if (route.kind !== 'legacy') return answerModern(message, headers, options)
  if (inbound.kind === 'notification') return ACCEPTED
  return answerLegacy(inbound.message, version, options)
}

async function answerLegacy(
  message: JSONRPCRequest,
  version: string | undefined,
  options: McpServerOptions,
): Promise<McpAnswer> {
  if (version !== undefined && message.method !== 'initialize' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const shown = quoted(version)
    const text = `Unsupported protocol version: ${shown} (supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`
    return { status: 400, body: rpcError(message.id, RPC_CODES.invalidRequest, text) }
  }
  const exchange = new ExchangeTransport()
  const server = createMcpServer(options)
  await server.connect(exchange)
  return { status: 200, body: withPlainError(await exchange.answer(message)) }
}

/** The SDK alone knows the rules of this era, and speaks in terms of the web's Request and Response. */
async function answerModern(
  message: JSONRPCMessage,
  headers: McpHeaders,
  options: McpServerOptions,
): Promise<McpAnswer> {
  // It would be answered with a stream that never says anything: our one tool does not change.
  if ('method' in message && 'id' in message && message.method === 'subscriptions/listen')
    return { status: 404, body: rpcError(message.id, METHOD_NOT_FOUND, 'Method not found') }
  const handler = createMcpHandler(() => createMcpServer(options), { legacy: 'reject' })
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers: { ...SDK_HEADERS, ...headers } })
  const response = await handler.fetch(request, { parsedBody: message })
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { status: response.status, body: isFields(body) ? body : null }
}
