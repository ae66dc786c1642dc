import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, exec, raw } from '../../../../test/support/http.ts'
import { canBeOther, OTHER_UID, type Sending, sendAs } from '../../../../test/support/other-user.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

/** Every row of the table, so that a new route is held to the same rule without a word here. */
const rows = ROUTES.map(({ method, path }) => ({
  method,
  path,
  url: path.replace(':agent_id', 'default').replace(':topic', 'main').replace(/:\w+/g, 'default').replace('*', 'x'),
}))

const EFFECTIVE = JSON.stringify({ agent_id: 'evil', topic: 'evil', cmd: '/write evil.md\ntext', text: 'x' })

function request(method: string, url: string, headers: readonly string[] = [], body = EFFECTIVE): string {
  const head = [`${method} ${url} HTTP/1.1`, 'Host: localhost', 'X-Agent-Id: default', 'Content-Type: application/json']
  return `${[...head, `Content-Length: ${body.length}`, ...headers].join('\r\n')}\r\n\r\n${body}`
}

const keyOf = ({ dataDir }: TestDaemon): string =>
  (JSON.parse(readFileSync(join(dataDir, 'daemon.json'), 'utf8')) as { key: string }).key

function stateOf({ dataDir, home }: TestDaemon): unknown {
  const agents = JSON.parse(readFileSync(join(dataDir, 'agents.json'), 'utf8')) as unknown
  return { agents, files: readdirSync(home), data: readdirSync(dataDir).sort() }
}

function expectRefused(answers: readonly string[]): void {
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(answer).toContain('\r\nAccess-Control-Allow-Origin: *\r\n')
    expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n')
    expect(answer).toContain('\r\nContent-Type: application/json\r\n')
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n')
    expect(answer).toMatch(/\{"error":"Forbidden: only programs of the user who runs this daemon are served [^"]*"\}$/)
  }
}

/** What no route ever sees. */
const MALFORMED: readonly string[] = [
  'nonsense\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /health HTTP/1.1\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: evil.com\r\n\r\n',
  `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: localhost\r\n${'A:\r\n'.repeat(14_000)}\r\n`,
  'POST /agents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST /agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{',
  'POST /agents HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'OPTIONS /exec HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'TRACE /health HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\n\r\n',
]

describe.runIf(canBeOther)('a program of another user', () => {
  it.each(rows)('S29: is refused at $method $path, before any effect', async ({ method, url }) => {
    const daemon = await startTestDaemon()
    const before = stateOf(daemon)
    const sendings: Sending[] = [
      { text: request(method, url) },
      { text: request(method, url, [], '') },
      { text: request(method, url, [`Origin: http://127.0.0.1:${daemon.port}`, 'Sec-Fetch-Site: same-origin']) },
      { text: request(method, url, ['X-String-Key: guess']) },
      { text: request(method, url, [`X-String-Key: ${keyOf(daemon)}x`]) },
      { text: request(method, url), isMapped: true },
      { text: request(method, url), from: { address: '127.0.0.2' } },
    ]
    expectRefused(await sendAs(OTHER_UID, daemon.port, sendings))
    expect(stateOf(daemon)).toEqual(before)
    expect((await call(daemon.port, 'GET', '/health')).json).toMatchObject({ ok: true, agents: 1, sessions: 0 })
  })

  it('S29: is told nothing else whatever it sends, no 100, 204, 400, 404, 405, 413, 417 or 431', async () => {
    const daemon = await startTestDaemon()
    expectRefused(
      await sendAs(
        OTHER_UID,
        daemon.port,
        MALFORMED.map((text) => ({ text })),
      ),
    )
    const waiting = request('POST', '/agents', ['Expect: 100-continue']).replace(EFFECTIVE, '')
    expectRefused(await sendAs(OTHER_UID, daemon.port, [{ text: waiting }]))
    // The same from us is answered by what is wrong with it.
    const statuses = await Promise.all(
      MALFORMED.map(async (text) => (await raw(daemon.port, closing(text))).slice(9, 12)),
    )
    expect(new Set(statuses)).toEqual(new Set(['400', '403', '431', '413', '405', '204', '404', '200', '417', '415']))
  })

  it('S29: has no effect by sending and leaving at once', async () => {
    const daemon = await startTestDaemon()
    const text = request('POST', '/agents')
    const leaving = Array.from({ length: 25 }, (): Sending => ({ text, leaves: true }))
    await sendAs(OTHER_UID, daemon.port, leaving)
    await sendAs(OTHER_UID, daemon.port, leaving, { atOnce: true })
    // Served later than all of these would have been.
    expect(await raw(daemon.port, 'GET /agents HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
      / 200 /,
    )
    expect((await call(daemon.port, 'GET', '/health')).json).toMatchObject({ agents: 1, sessions: 0 })
  })

  it('S29: is not taken for us by having the ports of a connection of ours', async () => {
    const daemon = await startTestDaemon()
    const ours = connect(daemon.port, '127.0.0.1')
    onTestFinished(() => void ours.destroy())
    await new Promise((resolve) => {
      ours.once('connect', resolve)
    })
    const from = { address: '127.0.0.2', port: ours.localPort ?? 0 }
    expectRefused(await sendAs(OTHER_UID, daemon.port, [{ text: request('POST', '/agents'), from }]))
    expect((await call(daemon.port, 'GET', '/health')).json).toMatchObject({ agents: 1 })
  })

  it('S29: is served when it is listed, or when it was given the key', async () => {
    const listed = await startTestDaemon({ allowUids: [OTHER_UID] })
    const get = request('GET', '/agents', ['Connection: close'], '')
    expect(await sendAs(OTHER_UID, listed.port, [{ text: get }])).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 /)])
    const daemon = await startTestDaemon()
    const keyed = request('GET', '/agents', ['Connection: close', `X-String-Key: ${keyOf(daemon)}`], '')
    expect(await sendAs(OTHER_UID, daemon.port, [{ text: keyed }])).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 /)])
  })

  it('S29: is told from us in a burst of both', async () => {
    const { port } = await startTestDaemon()
    const get = request('GET', '/health', ['Connection: close'], '')
    const others = sendAs(
      OTHER_UID,
      port,
      Array.from({ length: 100 }, () => ({ text: get })),
      { atOnce: true },
    )
    const own = await Promise.all(Array.from({ length: 100 }, () => raw(port, get)))
    expect(own.filter((answer) => !answer.startsWith('HTTP/1.1 200 '))).toEqual([])
    expectRefused(await others)
  })
})

function closing(text: string): string {
  return text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
}

describe('a program of this user', () => {
  it('S29: is served without a key and with a wrong one, over IPv4 and over mapped addresses', async () => {
    const { port } = await startTestDaemon()
    const sendings: Sending[] = [
      { text: request('GET', '/health', ['Connection: close'], '') },
      { text: request('GET', '/health', ['Connection: close', 'X-String-Key: wrong'], '') },
      { text: request('GET', '/health', ['Connection: close'], ''), isMapped: true },
      { text: request('GET', '/health', ['Connection: close'], ''), from: { address: '127.0.0.3' } },
    ]
    const answers = await sendAs(process.getuid?.() ?? 0, port, sendings)
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('S29: goes on with a body after 100 Continue', async () => {
    const { port } = await startTestDaemon()
    const body = '{"agent_id":"two"}'
    const head = request('POST', '/agents', ['Expect: 100-continue', 'Connection: close'], body).replace(body, '')
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket: Socket = connect(port, '127.0.0.1')
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
      })
      socket.on('close', () => resolve(text))
      socket.write(head)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    expect((await call(port, 'GET', '/health')).json).toMatchObject({ agents: 2 })
  })

  it('S29: finds the key in the record alone: in no answer, log, error, listing or environment', async () => {
    const daemon = await startTestDaemon()
    const { port, dataDir } = daemon
    const key = keyOf(daemon)
    expect(Buffer.from(key, 'base64url')).toHaveLength(32)
    const texts = [
      ...(await Promise.all(['/health', '/agents', '/sessions', '/nothing'].map((url) => call(port, 'GET', url)))).map(
        ({ text, headers }) => text + JSON.stringify(headers),
      ),
      (await exec(port, '/open system')).body,
      (await exec(port, '/open agent')).body,
      (await exec(port, '/exec env; set; cat /proc/$PPID/environ /proc/$PPID/cmdline | tr "\\\\0" "\\\\n"')).body,
      (await exec(port, 'env', { topic: 'bash:x' })).body,
      (await exec(port, `/open ${dataDir}/daemon.json`)).body,
      (await exec(port, `/nope-${'x'.repeat(10)}`)).body,
      await raw(port, `GET /health HTTP/1.1\r\nHost: evil\r\nX-String-Key: ${key}\r\nConnection: close\r\n\r\n`),
      await raw(port, `GET /health HTTP/1.1\r\nX-String-Key : ${key}\r\n\r\n`),
      ...daemon.log,
    ]
    for (const text of texts) expect(text).not.toContain(key)
    const other = await startTestDaemon()
    expect(keyOf(other)).not.toBe(key)
  })
})
