import { readdirSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, raw } from '../../../../test/support/http.ts'
import { keyHeader } from '../../../../test/support/keys.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

/** Every row of the table, so that a new route is held to the same rules without a word here. */
const rows = ROUTES.map(({ method, path, raw: text, isPage }) => ({
  method,
  path,
  isJson: text === undefined,
  isPage: isPage === true,
  url: path.replace(':agent_id', 'default').replace(':topic', 'main').replace(/:\w+/g, 'default').replace('*', 'x'),
}))

/** Has an effect on whichever endpoint takes JSON. */
const EFFECTIVE = { agent_id: 'evil', topic: 'evil', cmd: '/write evil.md\ntext' }
const JSON_HEADERS = { 'X-Agent-Id': 'default', 'Content-Type': 'application/json' }

const FOREIGN = [
  'https://evil.com',
  'null',
  '',
  'http://127.0.0.1.evil.com',
  'http://127.evil.com',
  'http://localhost@evil.com',
  'http://localhost.evil.com',
  'http://localhost, http://localhost',
  'http://localhost http://evil.com',
  'http://localhost/',
  'http://localhost/path',
  'chrome-extension://abcdef',
  'moz-extension://localhost',
  'file://',
  'localhost',
  '//localhost',
  'http://0.0.0.0',
  'http://127.1',
  'http://[::ffff:127.0.0.1]',
]

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** What has come within the first piece; a stream has no end. */
  readonly start: string
}

/** Sends a request and goes as soon as the answer has begun. */
function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node gives the body of a DELETE no length by itself.
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: { ...keyHeader(port), ...headers, ...length },
    }
    const outgoing = request(options, (response) => {
      const finish = (start: string): void => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, start })
        outgoing.destroy()
      }
      response.once('data', (chunk: Buffer) => finish(chunk.toString('utf8')))
      response.once('end', () => finish(''))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function stateOf({ dataDir, home }: TestDaemon): unknown {
  const agents = JSON.parse(readFileSync(join(dataDir, 'agents.json'), 'utf8')) as unknown
  return { agents, files: readdirSync(home), data: readdirSync(dataDir).sort() }
}

async function expectRefused(daemon: TestDaemon, method: string, url: string, headers: Record<string, string>) {
  const body = method === 'GET' ? undefined : JSON.stringify(EFFECTIVE)
  const answer = await ask(daemon.port, method, url, { ...JSON_HEADERS, ...headers }, body)
  expect(answer.status, JSON.stringify(headers)).toBe(403)
  const { next = '', ...said } = JSON.parse(answer.start) as { next?: unknown }
  expect(said).toEqual({ error: expect.stringContaining('Forbidden') as string })
  expect(next).toMatch(/^$|^Only pages of this machine may ask/)
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' })
}

describe('every route of the table', () => {
  it.each(rows)('S2: $method $path refuses every foreign Origin before any effect', async ({ method, url }) => {
    const daemon = await startTestDaemon()
    const before = stateOf(daemon)
    for (const origin of FOREIGN) await expectRefused(daemon, method, url, { Origin: origin })
    const twice = `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\norigin: http://localhost\r\nConnection: close\r\n\r\n`
    expect(await raw(daemon.port, twice)).toMatch(/^HTTP\/1\.1 403 /)
    expect(stateOf(daemon)).toEqual(before)
    expect((await call(daemon.port, 'GET', '/health')).json).toMatchObject({ ok: true, agents: 1, sessions: 0 })
  })

  it.each(rows)('S3, S4: $method $path refuses foreign hosts and sites before any effect', async ({ method, url }) => {
    const daemon = await startTestDaemon()
    const before = stateOf(daemon)
    for (const host of ['evil.com', '0.0.0.0', '10.0.0.1', 'localhost.evil.com', '127.0.0.1@evil.com', '[::]'])
      await expectRefused(daemon, method, url, { Host: host, 'X-Forwarded-Host': 'localhost' })
    for (const site of ['cross-site', 'same-site', 'same-origin, cross-site'])
      await expectRefused(daemon, method, url, { 'Sec-Fetch-Site': site })
    expect(await raw(daemon.port, `${method} ${url} HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
    expect(stateOf(daemon)).toEqual(before)
    expect((await call(daemon.port, 'GET', '/health')).json).toMatchObject({ ok: true, agents: 1, sessions: 0 })
  })

  it.each(rows)(
    'S39: $method $path refuses a page of another local port before any effect',
    async ({ method, url }) => {
      const daemon = await startTestDaemon({ allowOrigins: ['http://localhost:5173'] })
      const before = stateOf(daemon)
      for (const Origin of ['http://localhost:3000', 'http://127.0.0.1:5173', 'https://localhost:5173', 'http://[::1]'])
        for (const site of ['same-site', 'cross-site', 'Same-Origin', '', 'same-origin, same-site'])
          await expectRefused(daemon, method, url, { Origin, 'Sec-Fetch-Site': site })
      // What a listed page sends without its name could be anybody's.
      await expectRefused(daemon, method, url, { 'Sec-Fetch-Site': 'same-site' })
      expect(stateOf(daemon)).toEqual(before)
      expect((await call(daemon.port, 'GET', '/health')).json).toMatchObject({ ok: true, agents: 1, sessions: 0 })
    },
  )

  it.each(rows)('S39: $method $path serves a listed page, its own, and programs without a mark', async (row) => {
    const { method, url } = row
    const daemon = await startTestDaemon({ allowOrigins: ['http://localhost:5173'] })
    const own = `http://127.0.0.1:${daemon.port}`
    const marks = [
      { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: own, 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'http://localhost:3000' },
      { 'Sec-Fetch-Site': 'none' },
    ]
    // A method that no route has is answered behind the guard, and has no effect.
    for (const mark of marks) expect((await ask(daemon.port, 'PUT', url, mark)).status).toBe(405)
    const answer = await ask(daemon.port, method, url, { ...JSON_HEADERS, ...marks[0] })
    expect(answer.status).not.toBe(403)
  })

  it.each(rows.filter(({ method, isJson }) => method !== 'GET' && isJson))(
    'S5: $method $path takes a body as JSON only, and none without a type',
    async ({ method, url }) => {
      const daemon = await startTestDaemon()
      const before = stateOf(daemon)
      const body = JSON.stringify(EFFECTIVE)
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', '*/*']
      for (const type of types)
        expect((await ask(daemon.port, method, url, { 'Content-Type': type }, body)).status, type).toBe(415)
      expect((await ask(daemon.port, method, url, {}, body)).status).toBe(415)
      expect(stateOf(daemon)).toEqual(before)
      expect((await ask(daemon.port, method, url, { 'X-Agent-Id': 'default' })).status).not.toBe(415)
    },
  )

  it.each(rows.filter(({ isPage }) => !isPage))(
    'S1, S6, S7: $method $path never answers HTML, grants nothing, and has our headers',
    async (row) => {
      const { method, url } = row
      const daemon = await startTestDaemon()
      const { port } = daemon
      const html = { Accept: 'text/html', 'Access-Control-Request-Private-Network': 'true' }
      const answers = [
        await ask(port, method, `${url}/<script>`, html),
        await ask(port, method, `${url}/%ff`, html),
        await ask(port, 'OPTIONS', url, { ...html, Origin: 'http://localhost:1' }),
        await ask(port, 'PUT', url, html),
        await ask(port, 'TRACE', url, html),
        await ask(port, method, url, { ...html, Origin: 'https://evil.com' }),
        await ask(port, method, url, { ...html, Host: 'evil.com' }),
        await ask(port, method, url, { ...html, Expect: 'a miracle' }),
        await ask(port, method, url, { ...html, ...JSON_HEADERS, Origin: 'http://localhost:1' }),
        await ask((await startTestDaemon()).port, method, url, { ...html, ...JSON_HEADERS }, '<'),
      ]
      for (const { status, headers, start } of answers) {
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-headers': 'Content-Type, X-Agent-Id',
          'x-content-type-options': 'nosniff',
        })
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toHaveLength(2)
        expect(headers.server ?? headers['x-powered-by'] ?? headers.upgrade).toBeUndefined()
        if (status !== 204) expect(headers['content-type']).toMatch(/^(?:application\/json|text\/event-stream)$/)
        expect(start).not.toMatch(/^\s*</)
        expect(status).toBeLessThan(500)
      }
      expect(answers[2]?.status).toBe(204)
      expect(answers[3]?.status).toBe(405)
      expect(answers[4]?.status).toBe(405)
    },
  )
})
