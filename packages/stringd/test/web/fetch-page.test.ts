import { createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failureIn, fetcherFor, pageIn, serve, startServer } from './page-server.ts'

const fetchPage = fetcherFor({})
const small = fetcherFor({}, { limits: { pageBytes: 1000, pageWireBytes: 1000, pageHeaderBytes: 2000 } })
const hasty = fetcherFor({}, { limits: { pageMs: 100 } })

describe('a request', () => {
  it('asks for Markdown first and says little about itself (S26)', async () => {
    const { origin, requests } = await startServer(serve('x'))
    pageIn(await fetchPage(`${origin}/a?b=c#d`, { from: null }))
    const [request] = requests
    expect(request?.url).toBe('/a?b=c')
    expect(request?.headers).toMatchObject({
      accept: 'text/markdown, text/html;q=0.8, text/plain;q=0.7, application/json;q=0.6, */*;q=0.1',
      'user-agent': 'string',
    })
  })

  it.each([
    [404, 'NOT_FOUND'],
    [410, 'NOT_FOUND'],
    [401, 'AUTH_REQUIRED'],
    [407, 'AUTH_REQUIRED'],
    [403, 'LOAD_ERROR'],
    [429, 'LOAD_ERROR'],
    [500, 'LOAD_ERROR'],
    [503, 'LOAD_ERROR'],
    [304, 'LOAD_ERROR'],
  ])('answered with %i fails with %s and names the URL', async (status, code) => {
    const { origin } = await startServer((_request, response) => response.writeHead(status).end())
    const failure = failureIn(await fetchPage(`${origin}/page?key=s3cret`, { from: null }))
    expect(failure.code).toBe(code)
    expect(failure.system).toContain(`${origin}/page?…`)
    expect(failure.system).toContain(String(status))
  })

  it('to a port where nobody listens is a load error', async () => {
    const { origin } = await new Promise<{ origin: string }>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address()
        const port = typeof address === 'object' ? address?.port : 0
        server.close(() => resolve({ origin: `http://127.0.0.1:${port}` }))
      })
    })
    expect(failureIn(await fetchPage(origin, { from: null }))).toMatchObject({
      code: 'LOAD_ERROR',
      system: `Nothing answers at ${origin}/`,
    })
  })

  it.each(['this is no HTTP\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', ''])(
    'answered with %j is a load error',
    async (answer) => {
      const port = await startRaw(answer)
      expect(failureIn(await fetchPage(`http://127.0.0.1:${port}/`, { from: null })).code).toBe('LOAD_ERROR')
    },
  )

  it('over TLS to a server that speaks none is a load error', async () => {
    const { port } = await startServer(serve('x'))
    const failure = failureIn(await fetchPage(`https://127.0.0.1:${port}/`, { from: null }))
    expect(failure.system).toContain('No secure connection')
  })
})

describe('a page', () => {
  const big = 'a'.repeat(1001)

  it.each([
    ['with its length', { 'content-length': '1001' }],
    ['without its length', {}],
  ])('that is too large is refused, announced %s', async (_how, headers) => {
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, headers)
      response.write(big.slice(0, 500))
      response.end(big.slice(500))
    })
    expect(failureIn(await small(origin, { from: null })).code).toBe('TOO_LARGE')
  })

  it('of exactly the largest size is fetched', async () => {
    const { origin } = await startServer(serve(big.slice(1)))
    expect(pageIn(await small(origin, { from: null })).bytes).toHaveLength(1000)
  })

  it.each([
    ['gzip', gzipSync('hello')],
    ['x-gzip', gzipSync('hello')],
    ['deflate', deflateSync('hello')],
    ['deflate', deflateRawSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['GZIP', gzipSync('hello')],
    ['identity', Buffer.from('hello')],
    ['', Buffer.from('hello')],
  ])('packed with %s is unpacked', async (encoding, body) => {
    const { origin } = await startServer(serve(body, { 'content-encoding': encoding, 'content-type': 'text/plain' }))
    expect(pageIn(await fetchPage(origin, { from: null })).text).toBe('hello')
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['deflate', deflateSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
  ])('packed with %s that unpacks to far too much is refused (S26)', async (encoding, body) => {
    const { origin } = await startServer(serve(body, { 'content-encoding': encoding }))
    expect(failureIn(await fetchPage(origin, { from: null })).code).toBe('TOO_LARGE')
  })

  it('whose packed form never ends is refused (S26)', async () => {
    const empty = gzipSync('')
    const { origin } = await startServer(serve(Buffer.concat(Array(100).fill(empty)), { 'content-encoding': 'gzip' }))
    expect(failureIn(await small(origin, { from: null })).code).toBe('TOO_LARGE')
  })

  it.each([
    ['gzip', Buffer.from('not packed')],
    ['br', Buffer.from('not packed')],
    ['gzip', gzipSync('hello, hello').subarray(0, 20)],
    ['compress', Buffer.from('x')],
    ['gzip, gzip', gzipSync(gzipSync('x'))],
  ])('packed with %s that cannot be unpacked is a load error', async (encoding, body) => {
    const { origin } = await startServer(serve(body, { 'content-encoding': encoding }))
    expect(failureIn(await fetchPage(origin, { from: null })).code).toBe('LOAD_ERROR')
  })

  it('with enormous headers is a load error', async () => {
    const { origin } = await startServer(serve('x', { 'x-long': 'a'.repeat(3000) }))
    expect(failureIn(await small(origin, { from: null })).system).toContain('headers are too large')
  })
})

describe('S26: the time limit', () => {
  it('holds for a name that is never looked up', async () => {
    const fetchSlowly = fetcherFor({}, { limits: { pageMs: 50 }, resolve: () => new Promise(() => {}) })
    expect(failureIn(await fetchSlowly('http://slow.test/', { from: null })).code).toBe('TIMEOUT')
  })

  it('holds for headers that never come', async () => {
    const { origin } = await startServer(() => {})
    expect(failureIn(await hasty(origin, { from: null })).code).toBe('TIMEOUT')
  })

  it('holds for a body that drips', async () => {
    const { origin } = await startServer((_request, response) => {
      const timer = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(timer))
    })
    const failure = failureIn(await hasty(origin, { from: null }))
    expect(failure).toMatchObject({ code: 'TIMEOUT', hints: ['Try again later'] })
  })

  it('holds for a connection that never says a word of TLS', async () => {
    const port = await startRaw(null)
    expect(failureIn(await hasty(`https://127.0.0.1:${port}/`, { from: null })).code).toBe('TIMEOUT')
  })

  it('holds for all redirects together', async () => {
    const { origin } = await startServer((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 40)
    })
    expect(failureIn(await hasty(origin, { from: null })).code).toBe('TIMEOUT')
  })
})

describe('a cancelled request', () => {
  it('ends at once, even before it began', async () => {
    const { origin, requests } = await startServer(serve('x'))
    const failure = failureIn(await fetchPage(origin, { from: null, signal: AbortSignal.abort() }))
    expect(failure.code).toBe('CANCELLED')
    expect(requests).toHaveLength(0)
  })

  it('closes the connection', async () => {
    const cancel = new AbortController()
    let closed: Promise<unknown> = Promise.resolve()
    const { origin } = await startServer((_request, response) => {
      closed = new Promise((resolve) => response.on('close', resolve))
      response.write('begun')
      cancel.abort()
    })
    expect(failureIn(await fetchPage(origin, { from: null, signal: cancel.signal })).code).toBe('CANCELLED')
    await closed
  })
})

/** A server that answers everything with the same bytes and hangs up; with null it says nothing at all. */
async function startRaw(answer: string | null): Promise<number> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    if (answer !== null) socket.once('data', () => socket.end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
