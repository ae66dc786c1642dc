import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import {
  type AutoStart,
  ForeignDaemonError,
  HttpError,
  IncompleteError,
  parseSse,
  QueueError,
  StringClient,
  StringClientError,
  stripContentPrefix,
  UnreachableError,
} from '@string-os/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../test/support/free-port.ts'
import { REFUSALS } from '../src/next-steps.ts'
import { NodeTransport } from '../src/node-transport.ts'

const SSE = { 'Content-Type': 'text/event-stream' }
const HEAD =
  'event: head\ndata: {"ok":true,"code":null,"cmd":"/x","request_id":null,"agent_id":"default","topic":"main","topic_type":"tab","meta":null}\n\n'
const CONTENT = 'event: content\ndata: "re: /x\\nDone"\n\n'
const DONE = 'event: done\ndata: {}\n\n'

interface Seen {
  readonly line: string
  readonly agent: string | undefined
  readonly accept: string | undefined
  readonly body: string
  readonly key: unknown
}

/** A daemon's stand-in that says exactly what a test wants, to see what the client makes of it. */
async function serve(
  exec: RequestListener,
  path = '/exec',
  other: object = { ok: true, agents: 1, sessions: 0 },
): Promise<{ port: number; seen: Seen[]; server: Server; sockets: () => number }> {
  const seen: Seen[] = []
  let connections = 0
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      seen.push({
        line: `${request.method} ${request.url}`,
        agent: request.headers['x-agent-id'] as string,
        accept: request.headers.accept,
        key: request.headers['x-string-key'],
        body,
      })
      if (request.url === path) return exec(request, response)
      const answer = request.url === '/agents' ? { agent_id: 'default', home: '/h', created: false } : other
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen, server, sockets: () => connections }
}

/** The port of one who takes connections and says nothing. */
async function silent(): Promise<number> {
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const HEALTHY = { ok: true, agents: 1, sessions: 0 }

const answering =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, SSE).end(text)

describe('chanflow and deliveries', () => {
  it('sends the text for its agent and gives back the reply as it is', async () => {
    const reply = { text: '<𝒞=string:a>', rest: 'x', blocks: [{ channel: 'string', topic: 'a', ok: false, code: 'X' }] }
    const { port, seen } = await serve((_request, response) => void response.end(JSON.stringify(reply)), '/chanflow')
    const client = new StringClient({ port, agent: 'bob' })
    expect(await client.chanflow('Hello', { cwd: '/tmp' })).toEqual(reply)
    expect(seen.map(({ line }) => line)).toEqual(['GET /health', 'POST /agents', 'POST /chanflow'])
    expect(seen[2]).toMatchObject({ agent: 'bob', body: JSON.stringify({ text: 'Hello', cwd: '/tmp' }) })
  })

  it('a refused text is thrown, and so is an answer that breaks off; nothing is sent twice', async () => {
    const refusing = await serve((_request, response) => {
      response.writeHead(400).end(JSON.stringify({ error: '"text" must be a string' }))
    }, '/chanflow')
    await expect(new StringClient({ port: refusing.port }).chanflow('x')).rejects.toThrow(HttpError)
    const breaking = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('{')
      setImmediate(() => response.destroy())
    }, '/chanflow')
    await expect(new StringClient({ port: breaking.port }).chanflow('x')).rejects.toThrow(IncompleteError)
    expect(breaking.seen.filter(({ line }) => line === 'POST /chanflow')).toHaveLength(1)
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const { port } = await serve(() => stop.abort(), '/chanflow')
    await expect(new StringClient({ port }).chanflow('x', { signal: stop.signal })).rejects.toThrow('aborted')
  })

  it('asks for its agent what may stand where a line ends', async () => {
    const view = { from: 0, items: [{ text: '/open', kind: 'command', about: null }], total: 1, usage: null }
    const answer = JSON.stringify(view)
    const { port, seen } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(answer)
    }, '/complete')
    expect(await new StringClient({ port, agent: 'ann' }).complete('main', '/op', { cwd: '/tmp' })).toEqual(view)
    expect(seen.at(-1)).toMatchObject({ line: 'POST /complete', agent: 'ann' })
    expect(JSON.parse(seen.at(-1)?.body ?? '')).toEqual({ text: '/op', topic: 'main', cwd: '/tmp' })
  })

  it('lists deliveries of one agent or of all', async () => {
    const other = { ok: true, agents: 1, sessions: 0, deliveries: [{ id: 'dlv_1' }] }
    const { port, seen } = await serve(answering(''), '/none', other)
    const client = new StringClient({ port })
    expect(await client.deliveries('a+b')).toEqual([{ id: 'dlv_1' }])
    await client.deliveries()
    // Who is there is asked once, before anything else is sent.
    expect(seen.map(({ line }) => line)).toEqual(['GET /health', 'GET /deliveries?agent_id=a%2Bb', 'GET /deliveries'])
  })
})

it('nothing but GET /health is sent to a program that is not stringd, whatever is asked', async () => {
  const { port, seen } = await serve(answering(''), '/none', { hello: 1 })
  const asks: readonly ((client: StringClient) => Promise<unknown>)[] = [
    (client) => client.approvals.answer('apr_x', 'allow', { note: 'secret' }),
    (client) => client.agents.register('x', {}),
    (client) => client.turns.list(),
    (client) => client.turns.retry('trn_x'),
    (client) => client.inbox.ack('evt_x'),
    (client) => client.sessions.cancel('main'),
    (client) => client.shutdown(),
  ]
  for (const ask of asks)
    await expect(ask(new StringClient({ port }))).rejects.toMatchObject({ code: 'FOREIGN_DAEMON' })
  expect(new Set(seen.map(({ line }) => line))).toEqual(new Set(['GET /health']))
})

describe('the client checklist: SHOULD', () => {
  it('pings GET /health and ensures the agent with POST /agents before the first /exec, once', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE))
    const client = new StringClient({ port, agent: 'bob', create: true })
    await client.exec('main', '/x')
    await client.exec('main', '/x')
    expect(seen.map(({ line }) => line)).toEqual(['GET /health', 'POST /agents', 'POST /exec', 'POST /exec'])
    expect(seen[1]?.body).toBe('{"agent_id":"bob"}')
  })

  it('makes the default agent by itself and another when that is said; else POST /agents looks, and changes nothing', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE))
    for (const options of [{}, { agent: 'bob' }, { agent: 'default', create: false }])
      await new StringClient({ port, ...options }).exec('main', '/x')
    expect(seen.filter(({ line }) => line === 'POST /agents').map(({ body }) => body)).toEqual([
      '{"agent_id":"default"}',
      '{"agent_id":"bob","check":true}',
      '{"agent_id":"default","check":true}',
    ])
  })

  it('starts a daemon when none answers, through the function it was given', async () => {
    const { port } = await serve(answering(HEAD + CONTENT + DONE))
    let started = 0
    const autoStart = () => {
      started += 1
      return Promise.resolve(port)
    }
    const client = new StringClient({ port: await freePort(), autoStart })
    expect((await client.exec('main', '/x')).ok).toBe(true)
    expect(client.port).toBe(port)
    expect(started).toBe(1)
  })

  it('starts one although a stream looks at that moment whether there is one, and starts none', async () => {
    let isNone: (why: Error) => void = () => undefined
    const none = new Promise<number>((_resolve, reject) => {
      isNone = reject
    })
    const transport = new NodeTransport({ autoStart: ({ mayStart }) => (mayStart ? Promise.resolve(1234) : none) })
    const look = transport.look()
    await transport.find()
    expect(transport.port).toBe(1234)
    isNone(new Error('stringd does not run'))
    await expect(look).rejects.toThrow('stringd does not run')
  })

  it('looks where that function says before it says that nobody answers, and has nothing started for that', async () => {
    const { port } = await serve(answering(HEAD + CONTENT + DONE))
    vi.stubEnv('STRING_PORT', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const asked: (boolean | undefined)[] = []
    const autoStart: AutoStart = ({ mayStart }) => {
      asked.push(mayStart)
      return Promise.resolve(port)
    }
    expect(await new StringClient({ autoStart }).ping()).toBe(true)
    expect(asked).toEqual([false])
    const none: AutoStart = () => Promise.reject(new Error('There is none'))
    expect(await new StringClient({ autoStart: none }).ping()).toBe(false)
  })

  it('asks that function first, whatever listens on the usual port, and again when the daemon is gone', async () => {
    const daemons = await Promise.all([
      serve(answering(HEAD + CONTENT + DONE)),
      serve(answering(HEAD + CONTENT + DONE)),
    ])
    const [first, second] = daemons
    const stranger = await serve(answering(HEAD + CONTENT + DONE))
    const ports = [first.port, second.port]
    const client = new StringClient({ port: stranger.port, autoStart: () => Promise.resolve(ports.shift() ?? 0) })
    await client.agents.list()
    expect((await client.exec('main', '/x')).ok).toBe(true)
    first.server.closeAllConnections()
    await new Promise((resolve) => {
      first.server.close(resolve)
    })
    expect(await client.ping()).toBe(false)
    expect((await client.exec('main', '/x')).ok).toBe(true)
    expect(client.port).toBe(second.port)
    expect(stranger.seen).toEqual([])
  })

  it('S29: sends the key that such a function tells with every request, and to no other daemon', async () => {
    const daemons = await Promise.all([0, 1, 2].map(() => serve(answering(HEAD + CONTENT + DONE))))
    const [first, second, third] = daemons
    if (first === undefined || second === undefined || third === undefined) throw new Error('There are three')
    const found = [{ port: first.port, key: 'one' }, { port: second.port, key: 'two' }, third.port]
    const client = new StringClient({
      port: third.port,
      key: 'given',
      autoStart: () => Promise.resolve(found.shift() ?? 0),
    })
    // Nobody has vouched for this port so far.
    expect(await client.ping()).toBe(true)
    expect(third.seen.map(({ key }) => key)).toEqual([undefined])
    for (const { server } of [first, second]) {
      await client.exec('main', '/x')
      await client.agents.list()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
      await client.ping()
    }
    await client.exec('main', '/x')
    expect(new Set(first.seen.map(({ key }) => key))).toEqual(new Set(['one']))
    expect(new Set(second.seen.map(({ key }) => key))).toEqual(new Set(['two']))
    expect(new Set(third.seen.map(({ key }) => key))).toEqual(new Set([undefined]))
    expect(first.seen.map(({ line }) => line)).toEqual(['GET /health', 'POST /agents', 'POST /exec', 'GET /agents'])
  })

  it('S29: sends a key that it was given beside the port', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE))
    await new StringClient({ port, key: 'given' }).exec('main', '/x')
    expect(seen.map(({ key }) => key)).toEqual(['given', 'given', 'given'])
  })

  it('without such a function goes to the port that was given, else to STRING_PORT, else to 3923', () => {
    vi.stubEnv('STRING_PORT', '4711')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(new StringClient().port).toBe(4711)
    expect(new StringClient({ port: 4712 }).port).toBe(4712)
    vi.stubEnv('STRING_PORT', '')
    expect(new StringClient().port).toBe(3923)
    for (const odd of ['x', '70000', '-1', '0']) {
      vi.stubEnv('STRING_PORT', odd)
      expect(() => new StringClient()).toThrow(
        new TypeError(`STRING_PORT must be a whole number from 1 to 65535, not "${odd}"`),
      )
      expect(new StringClient({ port: 4712 }).port).toBe(4712)
      expect(new StringClient({ autoStart: () => Promise.resolve(1) }).port).toBe(3923)
    }
  })

  it('sends no command to a server that is not a stringd', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE), '/exec', { hello: 'world' })
    await expect(new StringClient({ port }).exec('main', '/x')).rejects.toBeInstanceOf(ForeignDaemonError)
    expect(seen.map(({ line }) => line)).toEqual(['GET /health'])
    for (const [status, text] of [
      [404, 'Not found'],
      [200, 'hi'],
    ] as const) {
      const other = createServer((_request, response) => void response.writeHead(status).end(text))
      await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void other.close())
      const client = new StringClient({ port: (other.address() as AddressInfo).port })
      await expect(client.exec('main', '/x')).rejects.toBeInstanceOf(ForeignDaemonError)
      if (status !== 200) continue
      await expect(client.agents.list()).rejects.toBeInstanceOf(ForeignDaemonError)
      expect(await client.ping()).toBe(false)
    }
  })

  it.each([
    ['speaks first', (socket: Socket) => void socket.end('SSH-2.0-x\r\n')],
    ['answers no HTTP', (socket: Socket) => void socket.once('data', () => socket.write('-ERR unknown command\r\n'))],
    ['closes at once', (socket: Socket) => void socket.destroy()],
    ['closes when it was asked', (socket: Socket) => void socket.once('data', () => socket.end())],
  ])('says of a program that %s that it is no stringd, whatever was to be asked of it', async (_what, speak) => {
    const other = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      speak(socket)
    })
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const foreign = {
      code: 'FOREIGN_DAEMON',
      message: expect.stringContaining(`port ${port} is not stringd`) as string,
    }
    const asks: ((client: StringClient) => Promise<unknown>)[] = [
      (client) => client.health(),
      (client) => client.exec('main', '/x'),
      (client) => client.run('bash:x', 'make'),
      (client) => client.turn('hello').next(),
      (client) => client.watch().next(),
      (client) => client.agents.list(),
      (client) => client.shutdown(),
    ]
    for (const ask of asks) await expect(ask(new StringClient({ port }))).rejects.toMatchObject(foreign)
    expect(await new StringClient({ port }).ping()).toBe(false)
  })

  it('accepts text/event-stream, parses the three events and returns ok, code, content, meta and data', async () => {
    const meta = { uri: 'file:///a.md', title: 'A', current_block: null }
    const head = `event: head\ndata: ${JSON.stringify({ ok: false, code: 'NOT_FOUND', topic: 'docs', meta, data: { exit: 1 } })}\n\n`
    const { port, seen } = await serve(answering(`:\n\n${head}${CONTENT}${DONE}`))
    const result = await new StringClient({ port }).exec('file:docs', '/x', { requestId: 'r', cwd: '/tmp' })
    const data = { exit: 1 }
    expect(result).toEqual({ ok: false, code: 'NOT_FOUND', content: 'Done', meta, data, format: 'text', topic: 'docs' })
    expect(seen[2]).toMatchObject({ accept: 'text/event-stream' })
    expect(JSON.parse(seen[2]?.body ?? '')).toEqual({ cmd: '/x', topic: 'file:docs', request_id: 'r', cwd: '/tmp' })
  })

  it.each([
    ['re: /x\nDone', 'Done'],
    ['re: [id] /x\nA\nB', 'A\nB'],
    ['re: /x', ''],
    ['re: /x\n', ''],
    ['no prefix', 'no prefix'],
  ])('strips the re: line of %j', (raw, content) => {
    expect(stripContentPrefix(raw)).toBe(content)
  })

  it.each([
    ['no done', HEAD + CONTENT],
    ['no content', HEAD + DONE],
    ['only head', HEAD],
    ['nothing', ''],
    ['content that is no JSON', `${HEAD}event: content\ndata: re: raw\n\n${DONE}`],
    ['head that is no object', `event: head\ndata: 7\n\n${CONTENT}${DONE}`],
    ['half an event', `${HEAD}${CONTENT}event: done\ndata: {}`],
  ])('returns STREAM_INCOMPLETE for a stream with %s', async (_name, text) => {
    const { port } = await serve(answering(text))
    expect(await new StringClient({ port }).exec('main', '/x')).toMatchObject({ ok: false, code: 'STREAM_INCOMPLETE' })
  })

  it('returns STREAM_INCOMPLETE when the connection breaks after head', async () => {
    const { port } = await serve((_request, response) => {
      response.writeHead(200, SSE)
      response.write(HEAD, () => response.socket?.destroy())
    })
    expect(await new StringClient({ port }).exec('main', '/x')).toMatchObject({
      ok: false,
      code: 'STREAM_INCOMPLETE',
      content: expect.stringContaining('Look what became of it before you run it again') as string,
      topic: 'main',
    })
  })

  it.each([
    [429, 'QUEUE_FULL', 'Topic default:main has 5 commands queued. Try again later.'],
    [504, 'QUEUE_TIMEOUT', 'Timed out waiting in queue.'],
  ])('surfaces %d as a QueueError of its own', async (status, code, message) => {
    const { port } = await serve(
      (_request, response) => void response.writeHead(status).end(JSON.stringify({ error: code, message })),
    )
    const failure = new StringClient({ port }).exec('main', '/x')
    await expect(failure).rejects.toBeInstanceOf(QueueError)
    await expect(failure).rejects.toMatchObject({ code, message })
  })

  it('does not retry: a command is sent once, whatever comes back', async () => {
    for (const exec of [
      answering(''),
      ((_request, response) => response.socket?.destroy()) as RequestListener,
      ((_request, response) => void response.writeHead(500).end('oops')) as RequestListener,
    ]) {
      const { port, seen } = await serve(exec)
      await new StringClient({ port }).exec('main', '/x').catch(() => undefined)
      expect(seen.filter(({ line }) => line === 'POST /exec')).toHaveLength(1)
    }
  })
})

describe('the client checklist: MAY', () => {
  it('exposes health() and shutdown(), and reuses one connection', async () => {
    const { port, seen, sockets } = await serve(answering(HEAD + CONTENT + DONE))
    const client = new StringClient({ port })
    await client.exec('main', '/x')
    expect(await client.health()).toMatchObject({ ok: true, agents: 1 })
    await client.shutdown()
    expect(seen.at(-1)?.line).toBe('POST /shutdown')
    expect(sockets()).toBe(1)
  })
})

describe('the client checklist: MUST NOT', () => {
  it('sends no /exec without X-Agent-Id', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE))
    await new StringClient({ port }).exec('main', '/x')
    expect(seen.find(({ line }) => line === 'POST /exec')?.agent).toBe('default')
  })

  it('takes data as JSON, never as raw bytes', async () => {
    const { port } = await serve(answering(`${HEAD}event: content\ndata: "re: /x\\nline\\n\\u2603 \\"q\\""\n\n${DONE}`))
    expect((await new StringClient({ port }).exec('main', '/x')).content).toBe('line\n☃ "q"')
  })

  it('assumes no meta', async () => {
    const { port } = await serve(answering(HEAD + CONTENT + DONE))
    expect((await new StringClient({ port }).exec('main', '/x')).meta).toBeNull()
  })

  it('waits for done, however the stream is cut', async () => {
    const bytes = Buffer.from(HEAD + CONTENT.replace('Done', 'D☃ne') + DONE)
    const { port } = await serve((_request, response) => {
      response.writeHead(200, SSE)
      let at = 0
      const step = (): void => {
        if (at >= bytes.length) return void response.end()
        response.write(bytes.subarray(at, at + 7), () => setImmediate(step))
        at += 7
      }
      step()
    })
    expect(await new StringClient({ port }).exec('main', '/x')).toMatchObject({ ok: true, content: 'D☃ne' })
  })
})

describe('errors', () => {
  it('throws UnreachableError when nothing listens, and tries again from the start next time', async () => {
    const port = await freePort()
    const client = new StringClient({ port })
    await expect(client.exec('main', '/x')).rejects.toBeInstanceOf(UnreachableError)
    const asking = async (): Promise<unknown> => await client.turns.list().catch((error: unknown) => error)
    // Whoever does not catch it sees what to do, and lines of their own.
    const shown = inspect(await asking())
    expect(shown).toMatch(/^UnreachableError: No answer from stringd on port \d+/)
    expect(shown).toContain("next: '`string start` starts the daemon")
    expect(shown).toMatch(/\n {4}at .*client\.test\.ts:\d+:\d+/)
    expect(shown).not.toMatch(/node:(?:internal|net|events)|node-transport/)
    expect(await client.ping()).toBe(false)
  })

  it('says with every error what to do about it, by its code, or by the status and the reason', async () => {
    const nextOf = async (status: number, body: object): Promise<string> => {
      const { port } = await serve((_request, response) => void response.writeHead(status).end(JSON.stringify(body)))
      const error: unknown = await new StringClient({ port }).exec('main', '/x').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StringClientError)
      return error instanceof StringClientError ? error.next : ''
    }
    expect(await nextOf(400, { error: 'Invalid topic: a b' })).toMatch(/^A topic is NAME, /)
    expect(await nextOf(400, { error: '"cwd" must be an absolute path' })).toContain('`path.resolve(name)`')
    expect(await nextOf(400, { error: '/p/agent.yaml:1:7: `wire` must be 0.1' })).toContain(
      '`string bridge check FILE`',
    )
    expect(await nextOf(400, { error: '"since" must be a time' })).toMatch(/^Give a Date/)
    expect(await nextOf(400, { error: '"limit" is a number' })).toMatch(/^Nothing was done: /)
    expect(await nextOf(409, { error: 'ANSWERED', message: 'Ada was first' })).toContain('`approvals.get(id)`')
    const reused = await nextOf(409, { error: 'CONFLICT', message: 'request_id r1 was used for another message' })
    expect(reused).toContain('another `requestId`')
    expect(reused).not.toContain('outbox')
    const sent = { error: 'CONFLICT', message: 'It is sent: nothing is to be tried again' }
    expect(await nextOf(409, sent)).toContain('`outbox.get(id)`')
    expect(await nextOf(401, { error: 'Unknown agent: x' })).toContain('`agents.list()` has all agents')
    expect(await nextOf(404, { error: 'Unknown turn: trn_9' })).toContain('`turns.list()`')
    expect(await nextOf(409, { error: 'NO_PROFILE', message: 'x has no profile' })).toContain(
      'agents.register(id, { profile })',
    )
    expect(await nextOf(418, { error: 'odd' })).toContain('docs/errors.md')
    expect(await nextOf(429, { error: 'QUEUE_FULL' })).toContain('retryAfterSecs')
    const away = new StringClient({ port: await freePort() }).exec('main', '/x')
    await expect(away).rejects.toMatchObject({ code: 'UNREACHABLE', next: expect.stringContaining('`string start`') })
    // Whatever else a status is refused for has a row of its own.
    const statuses = [...new Set(REFUSALS.map(({ status }) => status))]
    expect(statuses.filter((status) => REFUSALS.findLast((row) => row.status === status)?.begins !== '')).toEqual([])
  })

  it('says of an answer to an approval that came too late who was first, and throws nothing', async () => {
    const late = { error: 'ANSWERED', message: 'apr_1 was denied by ada at 10:00', approval: { id: 'apr_1' } }
    const { port } = await serve(
      (_request, response) => void response.writeHead(409).end(JSON.stringify(late)),
      '/approvals/apr_1',
    )
    expect(await new StringClient({ port }).approvals.answer('apr_1', 'allow')).toEqual({
      isFirst: false,
      approval: { id: 'apr_1' },
      message: late.message,
    })
  })

  it('calls a refusal as the daemon does, where it has a code for it', async () => {
    const { port } = await serve(
      (_request, response) => void response.writeHead(409).end('{"error":"NO_PROFILE","message":"bob has no profile"}'),
    )
    await expect(new StringClient({ port }).exec('main', '/x')).rejects.toMatchObject({
      code: 'NO_PROFILE',
      status: 409,
      message: 'bob has no profile',
      next: expect.stringContaining('agents.register') as string,
    })
  })

  it('makes paths absolute by the folder of the process', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE))
    const client = new StringClient({ port })
    await client.agents.register('bob', { profile: 'bob/agent.yaml', home: '/h', allowedPaths: ['x'] })
    await client.exec('main', '/x', { cwd: '.' })
    const here = process.cwd()
    const bodies = seen.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as unknown]))
    expect(bodies[0]).toEqual({
      agent_id: 'bob',
      home: '/h',
      allowed_paths: [`${here}/x`],
      profile: `${here}/bob/agent.yaml`,
    })
    expect(bodies.at(-1)).toEqual({ cmd: '/x', topic: 'main', cwd: `${here}/.` })
  })

  it('throws UnreachableError from every stream that nobody was there to open, unless it shall wait', async () => {
    const port = await freePort()
    const client = new StringClient({ port })
    for (const stream of [client.events(), client.turns.watch(), client.watch()])
      await expect(stream.next()).rejects.toThrow(UnreachableError)
    const over = new AbortController()
    const reasons: string[] = []
    const onLost = (reason: string): void => {
      reasons.push(reason)
      over.abort()
    }
    expect(await client.events({ waits: true, signal: over.signal, onLost }).next()).toMatchObject({ done: true })
    expect(reasons).toEqual([expect.stringContaining(`port ${port}`)])
  })

  it('rejects with the reason of its signal while it waits for whoever takes the connection and says nothing', async () => {
    const client = new StringClient({ port: await silent() })
    const reason = new Error('enough')
    const stop = new AbortController()
    const { signal } = stop
    const asked = [
      client.exec('main', '/ls', { signal }),
      client.run('bash:x', 'true', { signal }),
      client.chanflow('x', { signal }),
      client.complete('main', '/', { signal }),
      client.turn('hello', { signal }).next(),
      client.turns.follow('trn_x', { signal }).next(),
    ].map((each) => expect(each).rejects.toBe(reason))
    const streams = [client.events({ signal }), client.watch({ signal }), client.turns.watch({ signal })]
    const ended = streams.map((each) => expect(each.next()).resolves.toMatchObject({ done: true }))
    stop.abort(reason)
    await Promise.all([...asked, ...ended])
  })

  it('a daemon that is being started goes on without who has left, and is there for who has not', async () => {
    const { port } = await serve(answering(HEAD + CONTENT + DONE))
    const stop = new AbortController()
    let started: (port: number) => void = () => undefined
    const autoStart = (): Promise<number> =>
      new Promise((resolve) => {
        started = resolve
      })
    const client = new StringClient({ autoStart })
    const left = client.exec('main', '/x', { signal: stop.signal })
    const stays = client.exec('main', '/x')
    stop.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    started(port)
    expect((await stays).ok).toBe(true)
  })

  it('run types nothing once its signal was aborted, whenever a daemon answers', async () => {
    const { port, seen } = await serve(answering(HEAD + CONTENT + DONE))
    const stop = new AbortController()
    let started: (port: number) => void = () => undefined
    const autoStart = (): Promise<number> =>
      new Promise((resolve) => {
        started = resolve
      })
    const client = new StringClient({ autoStart })
    const left = client.run('bash:x', 'touch ran', { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    started(port)
    await client.exec('main', '/x')
    expect(seen.filter(({ body }) => body.includes('touch ran'))).toEqual([])
  })

  it('says of what takes the connection and says nothing that it does not answer, when its time is over', async () => {
    const port = await silent()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hurry = setInterval(() => vi.advanceTimersByTime(1_000), 10)
    onTestFinished(() => clearInterval(hurry))
    const client = new StringClient({ port })
    const why = {
      name: UnreachableError.name,
      message: `What listens on port ${port} does not answer`,
      next: '`string doctor` says what is wrong; `string restart` replaces a daemon that hangs',
    }
    await expect(client.exec('main', '/ls')).rejects.toMatchObject(why)
    await expect(client.health()).rejects.toMatchObject(why)
    await expect(client.watch().next()).rejects.toMatchObject(why)
    expect(await client.ping()).toBe(false)
  })

  it('says the same of one that answered before and hangs now; a command that it got may have run', async () => {
    let hangs = false
    const server = createServer((request, response) => {
      if (hangs) return
      const answer = request.url === '/agents' ? { agent_id: 'default', home: '/h', created: false } : HEALTHY
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const client = new StringClient({ port })
    await client.ready()
    hangs = true
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hurry = setInterval(() => vi.advanceTimersByTime(1_000), 10)
    onTestFinished(() => clearInterval(hurry))
    await expect(client.agents.list()).rejects.toMatchObject({
      name: UnreachableError.name,
      message: `What listens on port ${port} does not answer`,
    })
    const used = new StringClient({ port })
    hangs = false
    await used.ready()
    hangs = true
    expect(await used.exec('main', '/x')).toMatchObject({ ok: false, code: 'STREAM_INCOMPLETE' })
  })

  it('waits for what takes long, as long as the daemon answers others', async () => {
    let finish = (): void => undefined
    const { port, seen } = await serve((_request, response) => {
      finish = () => void response.writeHead(200, SSE).end(HEAD + CONTENT + DONE)
    })
    const client = new StringClient({ port })
    await client.ready()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const pending = client.exec('main', '/x')
    for (let round = 0; round < 60; round += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(1_000)
    }
    await vi.waitFor(() => expect(seen.filter(({ line }) => line === 'GET /health').length).toBeGreaterThan(2))
    finish()
    expect((await pending).ok).toBe(true)
  })

  it('throws HttpError with the reason of a refusal', async () => {
    const { port } = await serve(
      (_request, response) => void response.writeHead(400).end('{"error":"Invalid topic: x y"}'),
    )
    await expect(new StringClient({ port }).exec('x y', '/x')).rejects.toMatchObject({
      name: HttpError.name,
      status: 400,
      message: 'Invalid topic: x y',
    })
  })

  it('ends a request when its signal does', async () => {
    const { port } = await serve(() => undefined)
    const controller = new AbortController()
    const pending = new StringClient({ port }).exec('main', '/x', { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('rejects with the reason of its signal, before and while it runs, and tells the daemon to end the command', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const { port, seen } = await serve(() => controller.abort(reason))
    const client = new StringClient({ port })
    await expect(client.exec('main', '/x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(client.exec('main', '/x', { signal: controller.signal })).rejects.toBe(reason)
    const sent = seen.filter(({ line }) => line === 'POST /exec').map(({ body }) => JSON.parse(body) as object)
    expect(sent).toEqual([{ cmd: '/x', topic: 'main', cancel_on_leave: true }])
  })

  it('a signal ends the reading of an answer that has begun', async () => {
    const controller = new AbortController()
    const { port } = await serve((_request, response) => {
      response.writeHead(200, SSE)
      response.write(HEAD, () => controller.abort(new Error('enough')))
    })
    const running = new StringClient({ port }).exec('main', '/x', { signal: controller.signal })
    await expect(running).rejects.toThrow('enough')
  })

  it('returns STREAM_INCOMPLETE when the connection breaks before an answer: the command may have run', async () => {
    const { port, seen } = await serve((_request, response) => void response.socket?.destroy())
    expect(await new StringClient({ port }).exec('main', '/x')).toEqual({
      ok: false,
      code: 'STREAM_INCOMPLETE',
      content: expect.stringMatching(/^ERROR\(STREAM_INCOMPLETE\): .*may have run\n {2}Look what became/) as string,
      meta: null,
      data: null,
      format: 'text',
      topic: 'main',
    })
    expect(seen.filter(({ line }) => line === 'POST /exec')).toHaveLength(1)
  })

  it('exports parseSse', () => {
    expect(parseSse(DONE)).toEqual([{ event: 'done', data: '{}', id: null }])
  })
})
