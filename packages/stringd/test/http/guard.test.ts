import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, raw } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'Content-Type, X-Agent-Id' }

const FOREIGN_ORIGINS = [
  'https://evil.com',
  'http://evil.com:3923',
  'null',
  '',
  'http://127.0.0.1.evil.com',
  'http://127.evil.com',
  'http://localhost@evil.com',
  'http://evil.com@localhost',
  'http://localhost.evil.com',
  'http://localhost, http://evil.com',
  'http://localhost http://evil.com',
  'chrome-extension://abcdef',
  'file://',
  'http://0.0.0.0',
  'http://127.0.0.2',
  'http://10.0.0.1',
  'http://[::2]',
  'http://[::1].evil.com',
  'https://localhost:99999999',
  'ws://localhost',
]

const FOREIGN_HOSTS = [
  'evil.com',
  'evil.com:3923',
  '0.0.0.0',
  '10.0.0.1',
  '127.0.0.1.evil.com',
  'localhost.evil.com',
  '127.1',
  '2130706433',
  '127.0.0.1, evil.com',
  'user@localhost',
  '[::]',
  '127.0.0.1:x',
]

describe('the request guard', () => {
  it('S1: sends the CORS headers with every answer: results, errors, refusals, parser-level 4xx', async () => {
    const { port } = await startTestDaemon()
    const replies = [
      await call(port, 'GET', '/health'),
      await call(port, 'GET', '/nothing'),
      await call(port, 'PUT', '/agents'),
      await call(port, 'POST', '/agents', { body: {} }),
      await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'default' }, body: { cmd: '/info' } }),
      await call(port, 'GET', '/health', { headers: { Origin: 'https://evil.com' } }),
      await call(port, 'GET', '/health', { headers: { Host: 'evil.com' } }),
      await call(port, 'POST', '/agents', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }),
      await call(port, 'GET', '/health', { headers: { Expect: 'something' } }),
      await call(port, 'GET', '/%ff'),
    ]
    for (const { headers, status } of replies)
      expect(headers, String(status)).toMatchObject({ ...CORS, 'x-content-type-options': 'nosniff' })
    const unparsable = [
      'GARBAGE\r\n\r\n',
      'GET /health HTTP/1.1\r\n\r\n',
      'CONNECT evil.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(LIMITS.headerBytes)}\r\n\r\n`,
    ]
    for (const text of unparsable) {
      const answer = await raw(port, text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(answer).toContain('Access-Control-Allow-Origin: *\r\n')
      expect(answer).toContain('Access-Control-Allow-Headers: Content-Type, X-Agent-Id\r\n')
    }
  })

  it('S1, S2: answers OPTIONS preflight with 204 No Content, whatever the Origin, and does nothing', async () => {
    const { port } = await startTestDaemon()
    for (const path of ['/exec', '/shutdown', '/agents', '/nothing']) {
      const reply = await call(port, 'OPTIONS', path, {
        headers: { Origin: 'https://evil.com', 'Access-Control-Request-Method': 'POST' },
      })
      expect(reply).toMatchObject({ status: 204, text: '', headers: CORS })
    }
    expect((await call(port, 'OPTIONS', '/exec', { headers: { Host: 'evil.com' } })).status).toBe(403)
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ agents: 1, sessions: 0 })
  })

  it.each(FOREIGN_ORIGINS)(
    'S2: refuses the Origin %j with 403 on every endpoint, before any effect',
    async (origin) => {
      const daemon = await startTestDaemon()
      await expectNoEffect(daemon, { Origin: origin })
    },
  )

  it('S2, S4: says to whom it refuses what to do, and to whom it cannot read', async () => {
    const { port } = await startTestDaemon()
    const next =
      'Only pages of this machine may ask, by 127.0.0.1 or localhost; a program leaves out Origin and Sec-Fetch-Site'
    for (const headers of [{ Origin: 'https://evil.com' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await call(port, 'GET', '/health', { headers })).json).toMatchObject({ next })
    expect(await raw(port, 'GET health HTTP/1.1\r\nHost: localhost\r\n\r\n')).toContain('a path that begins with /')
  })

  it('S2: refuses several Origin headers, even good ones', async () => {
    const { port } = await startTestDaemon()
    const answer = await raw(
      port,
      'GET /health HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://127.0.0.1:8443',
    'http://[::1]:80',
    'HTTP://LOCALHOST',
  ])('S2: serves the Origin %s', async (origin) => {
    const { port } = await startTestDaemon()
    expect((await call(port, 'GET', '/health', { headers: { Origin: origin } })).status).toBe(200)
  })

  it.each(FOREIGN_HOSTS)('S3: refuses the Host %j with 403, before any effect', async (host) => {
    const daemon = await startTestDaemon()
    await expectNoEffect(daemon, { Host: host })
  })

  it('S2, S3, S4: sees every header, however many there are', async () => {
    const { port } = await startTestDaemon()
    const many = 'A:\r\n'.repeat(2500)
    for (const header of ['Origin: http://evil.com', 'Host: evil.com', 'Sec-Fetch-Site: cross-site']) {
      const text = `GET /agents HTTP/1.1\r\nHost: localhost\r\n${many}${header}\r\nConnection: close\r\n\r\n`
      expect(await raw(port, text), header).toMatch(/^HTTP\/1\.1 403 /)
    }
  })

  it('S3: answers 400 when Host is absent, 4xx when there are several, and does not count forwarded hosts', async () => {
    const { port } = await startTestDaemon()
    expect(await raw(port, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await raw(port, 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
    expect(
      await raw(port, 'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(
      await raw(port, 'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(
      (await call(port, 'GET', '/health', { headers: { Host: 'evil.com', 'X-Forwarded-Host': 'localhost' } })).status,
    ).toBe(403)
    expect((await call(port, 'GET', '/health', { headers: { 'X-Forwarded-Host': 'evil.com' } })).status).toBe(200)
  })

  it.each(['127.0.0.1', 'LocalHost:1', '[::1]', '[::1]:3923'])('S3: serves the Host %s', async (host) => {
    const { port } = await startTestDaemon()
    expect((await call(port, 'GET', '/health', { headers: { Host: host } })).status).toBe(200)
  })

  it.each(['cross-site', 'same-site', 'Cross-Site', 'none, cross-site'])(
    'S4: refuses Sec-Fetch-Site: %s with 403, before any effect',
    async (site) => {
      const daemon = await startTestDaemon()
      await expectNoEffect(daemon, { 'Sec-Fetch-Site': site })
    },
  )

  it.each(['none', 'same-origin'])('S4: serves Sec-Fetch-Site: %s', async (site) => {
    const { port } = await startTestDaemon()
    expect((await call(port, 'GET', '/health', { headers: { 'Sec-Fetch-Site': site } })).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json+x',
    '',
  ])('S5: answers a body of type %j with 415, without effect', async (type) => {
    const { port } = await startTestDaemon({ register: false })
    const headers = type === '' ? {} : { 'Content-Type': type }
    for (const path of ['/agents', '/shutdown', '/exec', '/sessions']) {
      expect((await call(port, 'POST', path, { headers, body: '{"agent_id":"evil"}' })).status).toBe(415)
    }
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ agents: 0, sessions: 0 })
  })

  it('S5: ignores parameters and case of the media type, and refuses encoded bodies', async () => {
    const { port } = await startTestDaemon()
    const body = '{"agent_id":"default"}'
    expect(
      (await call(port, 'POST', '/agents', { headers: { 'Content-Type': 'Application/JSON; charset=utf-8' }, body }))
        .status,
    ).toBe(200)
    expect(
      await call(port, 'POST', '/agents', {
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body,
      }),
    ).toMatchObject({
      status: 415,
      json: { error: 'Content-Encoding is not taken: gzip', next: 'Send the body as it is, without that header' },
    })
  })

  it('S6: grants nothing more: no credentials, no private network, no reflected Origin, no upgrade, TRACE, CONNECT or override', async () => {
    const { port } = await startTestDaemon()
    const preflight = await call(port, 'OPTIONS', '/exec', {
      headers: { Origin: 'http://localhost:1', 'Access-Control-Request-Private-Network': 'true' },
    })
    expect(
      Object.keys(preflight.headers)
        .filter((name) => name.startsWith('access-control-'))
        .sort(),
    ).toEqual(['access-control-allow-headers', 'access-control-allow-origin'])
    const upgrade = await call(port, 'GET', '/health', { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } })
    expect(upgrade.status).toBe(200)
    expect((await call(port, 'TRACE', '/health')).status).toBe(405)
    expect(await raw(port, 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /)
    await call(port, 'POST', '/agents', {
      headers: { 'X-HTTP-Method-Override': 'DELETE' },
      body: { agent_id: 'default' },
    })
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ agents: 1 })
  })

  it('S1, S6: grants methods and the place in a stream to pages of a listed origin alone', async () => {
    const { port } = await startTestDaemon({ allowOrigins: ['http://localhost:5173'] })
    const granted = async (origin: string): Promise<Record<string, unknown>> => {
      const { headers } = await call(port, 'OPTIONS', '/turns/x', { headers: { Origin: origin } })
      return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))
    }
    const methods = { 'access-control-allow-methods': 'GET, POST, DELETE' }
    const allowed = { ...CORS, ...methods, 'access-control-allow-headers': 'Content-Type, X-Agent-Id, Last-Event-ID' }
    expect(await granted('http://LOCALHOST:5173')).toEqual(allowed)
    for (const origin of ['http://localhost:9999', 'https://evil.com', 'null', ...FOREIGN_ORIGINS])
      expect(await granted(origin), origin).toEqual(CORS)
    const twice =
      'OPTIONS /x HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:5173\r\nOrigin: http://localhost:5173'
    expect(await raw(port, `${twice}\r\nConnection: close\r\n\r\n`)).not.toContain('Allow-Methods')
  })

  it('S7: answers JSON or an event stream, HTML only as the page itself, with no product banner', async () => {
    const { port } = await startTestDaemon()
    for (const path of ['/page', '/health', '/agents', '/<script>']) {
      const { headers } = await call(port, 'GET', path, { headers: { Accept: 'text/html' } })
      expect(headers['content-type']).toBe('application/json')
      expect(headers.server ?? headers['x-powered-by']).toBeUndefined()
    }
  })

  it('S8: binds 127.0.0.1 only', async () => {
    const { port } = await startTestDaemon()
    const tables = ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).map((path) => readFileSync(path, 'latin1'))
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const listening = tables
      .join('\n')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[1]?.endsWith(`:${hex}`) && row[3] === '0A')
    expect(listening.map((row) => row[1])).toEqual([`0100007F:${hex}`])
    expect(Object.keys(networkInterfaces()).length).toBeGreaterThan(0)
  })

  it('S17: answers a body over 10 MiB with a 413 that the client can read, declared or chunked', async () => {
    const { port } = await startTestDaemon()
    const body = JSON.stringify({ cmd: `/info ${'x'.repeat(LIMITS.requestBodyBytes)}` })
    const headers = { 'X-Agent-Id': 'default', 'Content-Type': 'application/json' }
    const tooLarge = { status: 413, json: { error: `Request body exceeds ${LIMITS.requestBodyBytes} bytes` } }
    expect(await call(port, 'POST', '/exec', { headers, body })).toMatchObject(tooLarge)
    expect(
      await call(port, 'POST', '/exec', { headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body }),
    ).toMatchObject(tooLarge)
    expect(
      await raw(
        port,
        'POST /exec HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{',
      ),
    ).toMatch(/^HTTP\/1\.1 413 /)
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ sessions: 0 })
  })

  it('S17: takes a body just under 10 MiB', async () => {
    const { port } = await startTestDaemon()
    const cmd = 'x'.repeat(LIMITS.requestBodyBytes - 10)
    expect((await call(port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'default' }, body: { cmd } })).status).toBe(
      200,
    )
  })

  it('S17: answers headers over 64 KiB with 431', async () => {
    const { port } = await startTestDaemon()
    expect(await raw(port, `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
  })

  it('S17: serves others while half-open and slow clients wait', async () => {
    const { port } = await startTestDaemon()
    const slow = Array.from({ length: 50 }, (_, index) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(
        index % 2 === 0
          ? 'POST /exec HTTP/1.1\r\nHost: loc'
          : 'POST /agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      return socket
    })
    expect((await call(port, 'GET', '/health')).status).toBe(200)
    for (const socket of slow) socket.destroy()
  })

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['an odd encoding', 'Transfer-Encoding: chunked, identity'],
    ['a length that is no number', 'Content-Length: 5x'],
    ['a negative length', 'Content-Length: -5'],
    ['a header with a space before its colon', 'X-Agent-Id : default'],
    ['a folded header with a bare LF', 'X-A: a\nX-B: b\n'],
  ])('S18: ends a connection with %s with 400', async (_name, headers) => {
    const { port } = await startTestDaemon()
    const answer = await raw(
      port,
      `POST /agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\nhello\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ agents: 1 })
  })
})

describe('routes', () => {
  it('answers a route that does not exist with 404 and its name', async () => {
    const { port } = await startTestDaemon()
    expect(await call(port, 'GET', '/nothing?x=1')).toMatchObject({
      status: 404,
      json: { error: 'Not found: GET /nothing' },
    })
    expect((await call(port, 'GET', 'http://evil.com/health')).status).toBe(404)
  })

  it('answers a known path with another method with 405 and Allow', async () => {
    const { port } = await startTestDaemon()
    expect(await call(port, 'GET', '/exec')).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } })
    expect(await call(port, 'PUT', '/agents')).toMatchObject({ status: 405, headers: { allow: 'GET, POST, OPTIONS' } })
  })
})

async function expectNoEffect(
  { port, dataDir }: { port: number; dataDir: string },
  headers: Record<string, string>,
): Promise<void> {
  const before = readFileSync(join(dataDir, 'agents.json'), 'utf8')
  const json = { ...headers, 'X-Agent-Id': 'default' }
  const replies = [
    await call(port, 'POST', '/agents', { headers, body: { agent_id: 'evil' } }),
    await call(port, 'POST', '/sessions', { headers, body: { agent_id: 'default', topic: 'evil' } }),
    await call(port, 'POST', '/exec', { headers: json, body: { cmd: '/info' } }),
    await call(port, 'DELETE', '/agents/default', { headers }),
    await call(port, 'GET', '/agents', { headers }),
    await call(port, 'POST', '/shutdown', { headers }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  for (const { json: body } of replies) {
    const { next = '', ...said } = body as { next?: unknown }
    expect(said).toEqual({ error: expect.stringContaining('Forbidden') as string })
    expect(next).toMatch(/^$|^Only pages of this machine may ask/)
  }
  expect(readFileSync(join(dataDir, 'agents.json'), 'utf8')).toBe(before)
  expect((await call(port, 'GET', '/health')).json).toMatchObject({ ok: true, agents: 1, sessions: 0 })
}
