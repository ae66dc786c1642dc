import { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, exec as run } from '../../../../test/support/http.ts'
import type { Route, Services } from '../../src/http/route.ts'
import { createHttpServer } from '../../src/http/serve/server.ts'
import { startTestDaemon } from '../support/daemon.ts'

/** What is sent, and how many whole answers have come in all before anything else is sent. */
type Step = readonly [text: string, answers: number]

/** Answers all that came until the connection ended. */
async function answerTo(port: number, steps: readonly Step[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    answer += chunk
  })
  const closed = new Promise((resolve) => {
    socket.on('error', resolve).on('close', resolve)
  })
  for (const [text, answers] of steps) {
    socket.write(text, 'latin1')
    if (answers === 0) await pause(25)
    await expect
      .poll(() => wholeAnswers(answer) >= answers || socket.destroyed, { message: text.slice(0, 300) })
      .toBe(true)
  }
  // A connection that ends by itself is waited for; one that stays is asked once more, with words that end it.
  if (!/^Connection: close/m.test(answer)) socket.write(LAST)
  await closed
  return answer.replace(/^Date: .*$/gm, 'Date: now')
}

function wholeAnswers(text: string): number {
  let count = 0
  for (let rest = text; ; count += 1) {
    const head = /^HTTP\/1\.1 [\s\S]*?\r\n\r\n/.exec(rest)?.[0]
    const length = Number(/^Content-Length: (\d+)/m.exec(head ?? '')?.[1] ?? 0)
    if (head === undefined || rest.length < head.length + length) return count
    rest = rest.slice(head.length + length)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

const LOCAL = 'Host: localhost\r\n'
const LAST = `GET /end HTTP/1.1\r\n${LOCAL}Connection: close\r\n\r\n`
/** Stands for one of its own in each case: a topic takes one command after the other. */
const TOPIC = 't__'
const AGENT = `${LOCAL}X-Agent-Id: default\r\nContent-Type: application/json\r\n`
/** Every character is a byte. */
const post = (path: string, headers: string, body: string, line = `POST ${path} HTTP/1.1`): string =>
  `${line}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
const exec = (cmd: string, more = ''): string =>
  post('/exec', `${AGENT}${more}`, Buffer.from(JSON.stringify({ cmd, topic: TOPIC })).toString('latin1'))
const INFO = exec('/info')

const REQUESTS: Readonly<Record<string, string>> = {
  'a command': INFO,
  'a command whose answer is JSON': exec('/info', 'Accept: application/json\r\n'),
  'a command of more than ASCII': exec('/info Grüße, 世界 🙂'),
  'a command that fails': exec('/nothing'),
  'a command of a large body': exec(`/info ${'x'.repeat(50_000)}`),
  'an agent that there is not': post('/exec', AGENT.replace('default', 'nobody'), '{"cmd":"/info"}'),
  'no agent': post('/exec', `${LOCAL}Content-Type: application/json\r\n`, '{"cmd":"/info"}'),
  'no JSON': post('/exec', AGENT, '{"cmd":'),
  'bytes that are no UTF-8': post('/exec', AGENT, '{"cmd":"/info \xff"}'),
  'another media type': post('/exec', AGENT.replace('application/json', 'text/plain'), '{"cmd":"/info"}'),
  'an encoded body': post('/exec', `${AGENT}Content-Encoding: gzip\r\n`, '{"cmd":"/info"}'),
  'no body': `POST /exec HTTP/1.1\r\n${AGENT}\r\n`,
  'an empty body': post('/exec', AGENT, ''),
  health: `GET /health HTTP/1.1\r\n${LOCAL}\r\n`,
  'a list with a query': `GET /turns?limit=1&state=done HTTP/1.1\r\n${LOCAL}\r\n`,
  'a path that there is not': `GET /nothing HTTP/1.1\r\n${LOCAL}\r\n`,
  'a method that there is not': `DELETE /exec HTTP/1.1\r\n${LOCAL}\r\n`,
  'a method that there is not, with a query': `GET /mcp?a=%zz HTTP/1.1\r\n${LOCAL}\r\n`,
  'a method that there is not, with a body': post('/health', LOCAL, 'hello'),
  'a path that decodes to nothing': `GET /agents/%zz HTTP/1.1\r\n${LOCAL}\r\n`,
  'a token that there is not': post('/webhook/wh_0', LOCAL, 'hello'),
  OPTIONS: `OPTIONS /exec HTTP/1.1\r\n${LOCAL}\r\n`,
  HEAD: `HEAD /health HTTP/1.1\r\n${LOCAL}Connection: close\r\n\r\n`,
  'HEAD with the next behind it': `HEAD /health HTTP/1.1\r\n${LOCAL}\r\n${LAST}`,
  CONNECT: `CONNECT localhost:1 HTTP/1.1\r\n${LOCAL}\r\n`,
  'an older HTTP': INFO.replace('HTTP/1.1', 'HTTP/1.0'),
  'a newer HTTP': INFO.replace('HTTP/1.1', 'HTTP/2.0'),
  'a whole address': INFO.replace('POST /exec', 'POST http://localhost/exec'),
  'a last request': exec('/info', 'Connection: close\r\n'),
  'a last request in capitals': exec('/info', 'Connection: Close\r\n'),
  'a connection that is to stay': exec('/info', 'Connection: keep-alive\r\n'),
  'a connection that is to become another': exec('/info', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  'an expectation': exec('/info', 'Expect: 100-continue\r\n'),
  'another expectation': exec('/info', 'Expect: wonders\r\n'),
  'a foreign origin': exec('/info', 'Origin: https://evil.example\r\n'),
  'a local origin': exec('/info', 'Origin: http://localhost:1\r\n'),
  'a foreign site': exec('/info', 'Sec-Fetch-Site: cross-site\r\n'),
  'two origins': exec('/info', 'Origin: http://localhost\r\nOrigin: https://evil.example\r\n'),
  'a foreign host': INFO.replace('Host: localhost', 'Host: evil.example'),
  'no host': INFO.replace(LOCAL, ''),
  'two hosts': INFO.replace(LOCAL, `${LOCAL}Host: evil.example\r\n`),
  'two lengths': exec('/info', 'Content-Length: 4\r\n'),
  'a length and chunks': exec('/info', 'Transfer-Encoding: chunked\r\n'),
  chunks: `POST /exec HTTP/1.1\r\n${AGENT}Transfer-Encoding: chunked\r\n\r\n13\r\n{"cmd":"/info","a":1\r\n1\r\n}\r\n0\r\n\r\n`,
  'a length with a sign': INFO.replace(/Content-Length: (\d+)/, 'Content-Length: +$1'),
  'a length in hexadecimal': INFO.replace(/Content-Length: (\d+)/, 'Content-Length: 0x$1'),
  'a length with a zero in front': INFO.replace(/Content-Length: (\d+)/, 'Content-Length: 0$1'),
  'a length twice in one': INFO.replace(/Content-Length: (\d+)/, 'Content-Length: $1, $1'),
  'a negative length': INFO.replace(/Content-Length: \d+/, 'Content-Length: -1'),
  'a header without a blank': exec('/info', 'X-Plain:yes\r\n'),
  'a header with many blanks': exec('/info', 'X-Plain:  \t yes \t \r\n'),
  'a header without a value': exec('/info', 'X-Plain:\r\n'),
  'a header with a blank before its colon': exec('/info', 'X-Plain : yes\r\n'),
  'a header over two lines': exec('/info', 'X-Plain: a\r\n b\r\n'),
  'a header with a control character': exec('/info', 'X-Plain: a\x01b\r\n'),
  'a header with a lone line end': exec('/info', 'X-Plain: a\nHost: evil.example\r\n'),
  'a header that is none': exec('/info', 'nothing\r\n'),
  'headers that end in line feeds': INFO.replaceAll('\r\n', '\n'),
  'large headers': exec('/info', `X-Large: ${'x'.repeat(LIMITS.headerBytes)}\r\n`),
  'many headers': exec('/info', 'X-A: b\r\n'.repeat(10)),
  'two at once': INFO + INFO,
  'one with the beginning of the next': `${INFO}POST /ex`,
  'one with nonsense behind it': `${INFO}nonsense`,
  nonsense: 'nonsense\r\n\r\n',
}

/** Those that are not answered once. */
const ANSWERS: Readonly<Record<string, number>> = {
  'an expectation': 2,
  'HEAD with the next behind it': 2,
  'two at once': 2,
  'one with nonsense behind it': 2,
}

describe('the short way of plain requests', () => {
  it('gives the same answers as the ordinary way, byte for byte, whatever is sent', async () => {
    const { port } = await startTestDaemon()
    await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
    const names = Object.keys(REQUESTS)
    const ownTopic = (name: string): string => `t${String(names.indexOf(name)).padStart(2, '0')}`
    // All topics are there from the start, so that /health counts as many to everyone.
    for (const name of names) {
      await run(port, '/info', { topic: ownTopic(name) })
    }
    const both = async (name: string): Promise<void> => {
      const text = (REQUESTS[name] ?? '').replaceAll(TOPIC, ownTopic(name))
      const info = INFO.replace(TOPIC, ownTopic(name))
      const answers = ANSWERS[name] ?? 1
      // In two parts it is never whole.
      const ordinary = await answerTo(port, [
        [text.slice(0, 3), 0],
        [text.slice(3), answers],
      ])
      expect(await answerTo(port, [[text, answers]]), name).toBe(ordinary)
      // What comes after a plain request on the same connection is as it would be alone.
      const after: Step = [text, answers + 1]
      const second = await answerTo(port, [[info.slice(0, 3), 0], [info.slice(3), 1], after])
      expect(await answerTo(port, [[info, 1], after]), name).toBe(second)
    }
    for (let at = 0; at < names.length; at += 16) await Promise.all(names.slice(at, at + 16).map(both))
  })

  const kind: Route = {
    method: 'POST',
    path: '/kind',
    expects: '{}',
    async handle({ request, response, json }) {
      const how = request instanceof IncomingMessage ? 'ordinary' : 'short'
      const { waitMs = 0, bytes = 0 } = (json.ok ? json.value : {}) as { waitMs?: number; bytes?: number }
      await pause(waitMs)
      response.writeHead(200, { 'Content-Length': how.length + bytes })
      response.end(how + 'x'.repeat(bytes))
    },
  }

  async function serve(): Promise<{ socket: Socket; said: () => string; server: ReturnType<typeof createHttpServer> }> {
    const server = createHttpServer([kind], Promise.resolve({} as Services))
    await new Promise<void>((resolve) => {
      server.server.listen(0, '127.0.0.1', resolve)
    })
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    let said = ''
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        said += chunk.toString('latin1')
      })
    onTestFinished(() => {
      socket.destroy()
      server.server.closeAllConnections()
      server.server.close()
    })
    return { socket, server, said: () => said.replace(/HTTP[\s\S]*?\r\n\r\n/g, '|') }
  }

  const ask = (body: object): string =>
    post('/kind', `${LOCAL}Content-Type: application/json\r\n`, JSON.stringify(body))

  it('is taken until something is not plain, and then never again on that connection', async () => {
    const { socket, said } = await serve()
    socket.write(ask({}))
    await expect.poll(said).toBe('|short')
    socket.write(ask({ a: 1 }))
    await expect.poll(said).toBe('|short|short')
    socket.write(ask({}).replace('POST', 'POS'))
    await expect.poll(said).toMatch(/^\|short\|short\|\{"error":"Malformed/)
  })

  it('stays after a method that the path does not have', async () => {
    const { socket, said } = await serve()
    socket.write(`GET /kind HTTP/1.1\r\n${LOCAL}\r\n`)
    await expect
      .poll(said)
      .toBe('|{"error":"Method not allowed: GET /kind","next":"The header Allow names the methods of this path"}')
    socket.write(ask({}))
    await expect.poll(said).toMatch(/\}\|short$/)
  })

  it('answers what came too early after what came first, in order', async () => {
    const { socket, said, server } = await serve()
    socket.write(ask({ waitMs: 60 }))
    await expect.poll(server.active).toBe(1)
    socket.write(ask({ waitMs: 1 }).slice(0, 30))
    await pause(10)
    socket.write(ask({ waitMs: 1 }).slice(30) + ask({}))
    await expect.poll(said).toBe('|short|ordinary|ordinary')
  })

  it('does nothing for what comes after a last request', async () => {
    const { socket, said, server } = await serve()
    const ended = new Promise((resolve) => {
      socket.on('close', resolve)
    })
    socket.write(ask({ waitMs: 300 }).replace('Host', 'Connection: close\r\nHost'))
    await expect.poll(server.active, { interval: 1 }).toBe(1)
    socket.write(ask({}))
    await ended
    expect(said()).toBe('|short')
  })

  it('counts what is being answered, and lets it leave before idle connections are closed', async () => {
    const { socket, said, server } = await serve()
    socket.write(ask({ waitMs: 60 }))
    await expect.poll(server.active).toBe(1)
    server.server.closeIdleConnections()
    await expect.poll(said).toBe('|short')
    expect(server.active()).toBe(0)
    await server.settled()
    server.server.closeIdleConnections()
    await expect.poll(() => socket.destroyed).toBe(true)
  })

  it('takes no more from a client that does not read, and goes on when it does', async () => {
    const { socket, said } = await serve()
    socket.pause()
    for (let count = 0; count < 5; count += 1) {
      socket.write(ask({ bytes: 4_000_000 }))
      await pause(10)
    }
    socket.resume()
    await expect.poll(() => said().length, { timeout: 20_000 }).toBeGreaterThan(20_000_000)
    expect(said().replaceAll('x', '')).toMatch(/^(?:\|(?:short|ordinary)){5}$/)
  })
})
