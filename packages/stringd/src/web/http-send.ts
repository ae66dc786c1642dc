import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Client } from 'undici'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Headers = readonly (readonly [name: string, value: string])[]

export interface SendOptions {
  readonly method: Method
  readonly url: URL
  /** Besides our own, or in place of ours of the same name. */
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** Where to connect: the host name is not looked up again. */
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
  readonly headerBytes: number
}

export interface Reply {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: Readable
  /** Ends the connection, whatever is still under way. */
  readonly close: () => Promise<void>
}

const OUR_HEADERS: Headers = [
  ['accept', 'text/markdown, text/html;q=0.8, text/plain;q=0.7, application/json;q=0.6, */*;q=0.1'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'string'],
]

/** One request on a connection of its own. Redirects are answered like everything else. */
export async function send(options: SendOptions): Promise<Reply> {
  const { method, url, signal } = options
  const { client, sockets } = await createClient(options)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    client.destroy(ignore)
  }
  const close = async () => {
    signal.removeEventListener('abort', cut)
    cut()
    await client.destroy()
  }
  // Until there is a connection the client does not look at the signal.
  signal.addEventListener('abort', cut)
  try {
    const path = url.pathname + url.search
    const headers = allHeaders(options.headers)
    const answer = await client.request({ method, path, headers, body: options.body, signal })
    const { statusCode, body } = answer
    // A body that nobody reads may still fail when the connection is closed.
    body.on('error', ignore)
    return { status: statusCode, header: (name) => firstOf(answer.headers[name]), body, close }
  } catch (error) {
    await close()
    throw error
  }
}

function allHeaders(given: Headers): string[] {
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  return [...OUR_HEADERS.filter(([name]) => !names.has(name)), ...given].flat()
}

/** A client that connects to the given addresses only, and the sockets it opens. */
async function createClient({
  url,
  addresses,
  headerBytes,
}: SendOptions): Promise<{ client: Client; sockets: Socket[] }> {
  const undici = await import('./undici.ts')
  const connect = undici.buildConnector({ timeout: 0, lookup: lookupIn(addresses) })
  const isAddress = isIP(bare(url.hostname)) !== 0
  const servername = isAddress ? '' : url.hostname.replace(/\.$/, '')
  const sockets: Socket[] = []
  const client = new undici.Client(url.origin, {
    connect: (options, callback) => {
      const hostname = isAddress ? (addresses[0] ?? '') : options.hostname
      // The types hide that the connector returns its socket: with it a connection under way can be ended.
      sockets.push(connect({ ...options, hostname, servername }, callback) as unknown as Socket)
    },
    // The caller's signal bounds the whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headerBytes,
    pipelining: 0,
  })
  return { client, sockets }
}

/** Answers with addresses that are known already. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    const [first] = entries
    if (options.all || first === undefined) callback(null, entries)
    else callback(null, first.address, first.family)
  }
}

/** An IPv6 host without its brackets. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function firstOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}

function ignore(): void {}
