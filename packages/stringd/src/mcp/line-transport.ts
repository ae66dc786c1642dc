import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type Transport,
} from '@modelcontextprotocol/server'
import { LIMITS, parseJson } from '@string-os/protocol'
import { clientOf } from './instructions.ts'
import { RPC_CODES, type RpcError, readMessage, rpcError, withPlainError } from './message.ts'

/**
 * One JSON-RPC message per line, both ways. What is no message is answered with an error, and what is under way when
 * the input ends is still answered, for a while.
 */
export class LineTransport implements Transport {
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  readonly #input: Readable
  readonly #output: Writable
  readonly #pending = new Set<string | number>()
  #line: string[] = []
  #lineChars = 0
  readonly #done: () => void
  /** Resolves when it is over, whoever ended it. */
  readonly closed: Promise<void>
  #ended = false
  #isClosed = false
  #client: string | null = null

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
    let done = (): void => undefined
    this.closed = new Promise((resolve) => {
      done = resolve
    })
    this.#done = done
  }

  /** The name of the client, once it has begun the handshake. */
  get client(): string | null {
    return this.#client
  }

  async start(): Promise<void> {
    this.#input.setEncoding('utf8')
    this.#input.on('data', (chunk: string) => this.#read(chunk))
    this.#input.on('end', () => this.#end())
    this.#input.on('error', () => this.#end())
    this.#output.on('error', () => void this.close())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(withPlainError(message))
    if ('method' in message) return
    if (message.id !== undefined) this.#pending.delete(message.id)
    if (this.#ended && this.#pending.size === 0) await this.close()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#input.destroy()
    this.onclose?.()
    this.#done()
  }

  #read(chunk: string): void {
    const [first = '', ...rest] = chunk.split('\n')
    this.#keep(first)
    for (const next of rest) {
      this.#take(this.#line.join(''), this.#lineChars > LIMITS.requestBodyBytes)
      this.#line = []
      this.#lineChars = 0
      this.#keep(next)
    }
  }

  /** Of a line that is too long, only its length is kept. */
  #keep(part: string): void {
    this.#lineChars += part.length
    if (this.#lineChars > LIMITS.requestBodyBytes) this.#line = []
    else this.#line.push(part)
  }

  #take(line: string, isTooLong: boolean): void {
    if (isTooLong)
      return this.#refuse(RPC_CODES.invalidRequest, `Invalid Request: over ${LIMITS.requestBodyBytes} characters`)
    if (line.trim() === '') return
    const value = parseJson(line)
    if (value === undefined) return this.#refuse(RPC_CODES.parseError, 'Parse error: not JSON')
    const inbound = readMessage(value)
    if (inbound.kind === 'invalid') return void this.#write(inbound.error)
    if (inbound.kind === 'request') this.#request(inbound.message)
    if (inbound.kind === 'notification') this.#notification(inbound.message)
  }

  #request(message: JSONRPCRequest): void {
    const { id, method } = message
    if (method === 'initialize') this.#client = clientOf(message.params)
    // The SDK drops what it cannot read, and whoever asked would wait for ever.
    if (!isJSONRPCRequest(message))
      return this.#refuse(RPC_CODES.invalidParams, 'Invalid params: "_meta" is malformed', id)
    // A subscription is answered when it ends.
    if (method !== 'subscriptions/listen') this.#pending.add(id)
    this.onmessage?.(message)
  }

  #notification(message: JSONRPCNotification): void {
    if (message.method === 'notifications/cancelled') this.#forget(message.params?.requestId)
    if (isJSONRPCNotification(message)) this.onmessage?.(message)
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    void this.#write(rpcError(id, code, message))
  }

  /** A request that was cancelled gets no answer. */
  #forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#pending.delete(id)
  }

  #end(): void {
    if (this.#ended) return
    this.#take(this.#line.join(''), false)
    this.#ended = true
    if (this.#pending.size === 0) void this.close()
    else setTimeout(() => void this.close(), LIMITS.mcpDrainMs).unref()
  }

  /** Resolves when it has left, or when nobody can read it any more. */
  #write(message: JSONRPCMessage | RpcError): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) resolve()
      else this.#output.write(`${JSON.stringify(message)}\n`, () => resolve())
    })
  }
}
