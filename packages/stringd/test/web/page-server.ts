import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Failure } from '@string-os/protocol'
import { expect, onTestFinished } from 'vitest'
import { createPageFetcher } from '../../src/web/fetch-page.ts'
import type { WebPage } from '../../src/web/page.ts'
import type { RequesterOptions } from '../../src/web/request.ts'

export interface PageServer {
  readonly port: number
  readonly origin: string
  /** As they arrived. */
  readonly requests: IncomingMessage[]
}

/** A server on a loopback port of the system's choice, gone when the test is. */
export async function startServer(listener: RequestListener): Promise<PageServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, requests }
}

/** Answers every path with the same page. */
export function serve(body: string | Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(200, headers)
    response.end(body)
  }
}

/** A fetcher for which names of `hosts` stand for the given addresses, while every connection goes to 127.0.0.1. */
export function fetcherFor(hosts: Record<string, readonly string[]>, options: Partial<RequesterOptions> = {}) {
  return createPageFetcher({
    ownPort: () => 1,
    resolve: async (hostname) => hosts[hostname] ?? [],
    connectTo: () => '127.0.0.1',
    ...options,
  })
}

export function pageIn(result: WebPage | Failure): WebPage {
  if (!result.ok) expect.fail(`${result.code}: ${result.system}`)
  return result
}

export function failureIn(result: WebPage | Failure): Failure {
  if (result.ok) expect.fail(`a page: ${result.text.slice(0, 100)}`)
  return result
}
