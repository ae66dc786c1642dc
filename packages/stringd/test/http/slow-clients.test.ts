import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, raw } from '../../../../test/support/http.ts'
import type { Route, Services } from '../../src/http/route.ts'
import { sendJson } from '../../src/http/serve/respond.ts'
import { createHttpServer, type Patience } from '../../src/http/serve/server.ts'

const echo: Route = {
  method: 'POST',
  path: '/echo',
  expects: '{}',
  handle: ({ response, json }) => sendJson(response, 200, json),
}

/** The HTTP side alone, with less patience than the daemon has. */
async function impatient(
  patience?: Patience,
): Promise<{ port: number; server: ReturnType<typeof createHttpServer>['server'] }> {
  // No route here asks for a service.
  const { server } = createHttpServer(
    [echo],
    Promise.resolve({} as Services),
    patience === undefined ? {} : { patience },
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, server }
}

const HEAD = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** What a client gets that sends `start` and then one byte after the other, for ever. */
function drip(port: number, start: string, byte: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('utf8')
    socket.write(start)
    const timer = setInterval(() => socket.write(byte), 20)
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve(answer)
    })
  })
}

describe('S17: a slow client', () => {
  const short: Patience = { headersMs: 200, requestMs: 400, lookMs: 20 }

  it.each([
    ['its headers', `${HEAD}X-Slow: `, 'x'],
    ['its request line', 'POST /ec', 'x'],
    ['a body of a known length', `${HEAD}Content-Length: 100000\r\n\r\n{`, ' '],
    ['a chunked body', `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ])('that never ends %s is answered 408 and cut off, while others are served', async (_name, start, byte) => {
    const { port } = await impatient(short)
    const slow = Promise.all(Array.from({ length: 20 }, () => drip(port, start, byte)))
    for (let index = 0; index < 20; index += 1)
      expect((await call(port, 'POST', '/echo', { body: {} })).status).toBe(200)
    for (const answer of await slow) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
      expect(answer).toContain('Access-Control-Allow-Origin: *\r\n')
      expect(answer).toMatch(/\{"error":"The request took too long to arrive"\}$/)
    }
  })

  it.each([
    ['says nothing', ''],
    ['stops in its headers', `${HEAD}X-`],
    ['stops in its body', `${HEAD}Content-Length: 10\r\n\r\n{`],
  ])('that %s is cut off too', async (_name, text) => {
    const { port, server } = await impatient(short)
    const silent = connect(port, '127.0.0.1').on('error', () => undefined)
    silent.resume().write(text)
    const ended = new Promise((resolve) => {
      silent.on('close', resolve)
    })
    await ended
    await expect
      .poll(() => new Promise((resolve) => void server.getConnections((_error, count) => resolve(count))))
      .toBe(0)
  })

  it('has 60 s for its headers and a bounded time for the whole request', async () => {
    const { server } = await impatient()
    expect(server.headersTimeout).toBe(60_000)
    expect(server.requestTimeout).toBe(LIMITS.requestMs)
    expect(LIMITS.requestMs).toBeGreaterThan(server.headersTimeout)
  })
})

describe('S17: sizes', () => {
  const exactly = (bytes: number): string => `{"x":"${'é'.repeat((bytes - 8) / 2)}"}`

  it('are counted in bytes while reading: the last that fits is taken, one more is 413, chunked or not', async () => {
    const { port } = await impatient()
    const headers = { 'Content-Type': 'application/json' }
    for (const extra of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const sent = { ...headers, ...extra }
      expect(
        (await call(port, 'POST', '/echo', { headers: sent, body: exactly(LIMITS.requestBodyBytes) })).status,
      ).toBe(200)
      const over = await call(port, 'POST', '/echo', { headers: sent, body: `${exactly(LIMITS.requestBodyBytes)} ` })
      expect(over).toMatchObject({
        status: 413,
        json: { error: `Request body exceeds ${LIMITS.requestBodyBytes} bytes` },
      })
    }
  })

  it('of headers: just under 64 KiB are taken, more is 431', async () => {
    const { port } = await impatient()
    const withHeader = (size: number): string =>
      `${HEAD}X: ${'x'.repeat(size)}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`
    expect(await raw(port, withHeader(LIMITS.headerBytes - 200))).toMatch(/^HTTP\/1\.1 200 /)
    expect(await raw(port, withHeader(LIMITS.headerBytes))).toMatch(/^HTTP\/1\.1 431 /)
    expect(await raw(port, `${HEAD}${'A: b\r\n'.repeat(20_000)}\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('of chunk extensions and trailers are bounded too', async () => {
    const { port } = await impatient()
    const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
    expect(await raw(port, `${chunked}2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(await raw(port, `${chunked}2\r\n{}\r\n0\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4\d\d /)
  })
})

describe('S18: HTTP', () => {
  it.each([
    'Host: localhost\r\nHost: localhost',
    'Host: local host',
    'Host: localhost/x',
    'Host: localhost:1:2',
    'X: y',
  ])('with the hosts %j is refused, and the connection ends', async (headers) => {
    const { port } = await impatient()
    expect(await raw(port, `GET /echo HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 40[03] /)
  })

  it.each([
    ['a length twice, equal', 'Host: localhost\r\nContent-Length: 2\r\nContent-Length: 2'],
    ['a length with a sign', 'Host: localhost\r\nContent-Length: +2'],
    ['a length in hexadecimal', 'Host: localhost\r\nContent-Length: 0x2'],
    ['a length beyond every number', `Host: localhost\r\nContent-Length: ${'9'.repeat(30)}`],
    ['chunks twice', 'Host: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    ['another encoding behind chunks', 'Host: localhost\r\nTransfer-Encoding: chunked, gzip'],
    ['an encoding that is none', 'Host: localhost\r\nTransfer-Encoding: xchunked'],
    ['a bare CR in a header', 'Host: localhost\r\nX: a\rb'],
    ['a NUL in a header', 'Host: localhost\r\nX: a\0b'],
    ['a folded header', 'Host: localhost\r\nX: a\r\n b: c'],
  ])('with %s is refused, and nothing behind it is taken for a request', async (_name, headers) => {
    const { port } = await impatient()
    const smuggled =
      'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'
    const answer = await raw(
      port,
      `POST /echo HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n{}${smuggled}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('Access-Control-Allow-Origin: *')
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  it.each(['Z\r\n{}\r\n0\r\n\r\n', '-2\r\n{}\r\n0\r\n\r\n', '2\r\n{}0\r\n\r\n', 'ffffffffffffffffff\r\n{}'])(
    'with the chunks %j is 400',
    async (chunks) => {
      const { port } = await impatient()
      expect(await raw(port, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}`)).toMatch(/^HTTP\/1\.1 400 /)
    },
  )

  it('is never read by the lenient parser', () => {
    const src = join(import.meta.dirname, '../../src')
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    expect(
      sources.filter((name) => /insecureHTTPParser|insecure-http-parser/.test(readFileSync(join(src, name), 'utf8'))),
    ).toEqual([])
  })
})
