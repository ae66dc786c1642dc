import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/server'
import { isFields } from '@string-os/protocol'

type Id = string | number

export const RPC_CODES = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602 } as const

export interface RpcError {
  readonly jsonrpc: '2.0'
  /** Null when the message has none that could be echoed. */
  readonly id: Id | null
  readonly error: { readonly code: number; readonly message: string }
}

/** One JSON-RPC message, by what it asks of us; or the error that answers it. */
export type Inbound =
  | { readonly kind: 'request'; readonly message: JSONRPCRequest }
  | { readonly kind: 'notification'; readonly message: JSONRPCNotification }
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly error: RpcError }

export function rpcError(id: Id | null, code: number, message: string): RpcError {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Reads what a client sent: exactly one message, with an id that can be echoed. */
export function readMessage(value: unknown): Inbound {
  if (Array.isArray(value)) return invalid('Invalid Request: send one message at a time, not a batch')
  if (!isFields(value)) return invalid('Invalid Request: a message is an object')
  const { jsonrpc, method, params } = value
  if (jsonrpc !== '2.0') return invalid('Invalid Request: "jsonrpc" must be "2.0"')
  if ('id' in value && !isId(value.id)) return invalid('Invalid Request: "id" must be a string or a whole number')
  const id = isId(value.id) ? value.id : undefined
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (typeof method !== 'string') return invalid('Invalid Request: "method" must be a string', id)
  if (params !== undefined && !isFields(params)) return invalid('Invalid params: an object is expected', id)
  const call = { jsonrpc: '2.0' as const, method, ...(params === undefined ? {} : { params }) }
  return id === undefined ? { kind: 'notification', message: call } : { kind: 'request', message: { ...call, id } }
}

/** About params of a wrong shape the SDK shows all that its schema library has to say, or calls it an internal error. */
export function withPlainError<T extends JSONRPCMessage>(message: T): T | RpcError {
  if (!('error' in message) || !/\[\s*\{/.test(message.error.message)) return message
  return rpcError(message.id ?? null, RPC_CODES.invalidParams, 'Invalid params: a field is missing or of a wrong type')
}

function invalid(message: string, id: Id | null = null): Inbound {
  const code = message.startsWith('Invalid params') ? RPC_CODES.invalidParams : RPC_CODES.invalidRequest
  return { kind: 'invalid', error: rpcError(id, code, message) }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
