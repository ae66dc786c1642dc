import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server'

/** A transport that carries one request to a server and its answer back. */
export class ExchangeTransport implements Transport {
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  #resolve: (message: JSONRPCMessage) => void = () => undefined

  async start(): Promise<void> {
    // There is nothing to open.
  }

  answer(request: JSONRPCRequest): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.onmessage?.(request)
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) this.#resolve(message)
  }

  async close(): Promise<void> {
    this.onclose?.()
  }
}
