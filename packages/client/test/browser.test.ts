import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { StringClient as NodeClient } from '@string-os/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '../../../test/support/http.ts'
import { startTestDaemon } from '../../stringd/test/support/daemon.ts'
import { giveProfile } from '../../stringd/test/support/turns.ts'
import { HttpError, StringClient, UnreachableError, type WatchMessage } from '../src/browser.ts'

/** Hands requests on to a daemon as a browser would send them for a page. */
async function asPage(port: number, headers: Record<string, string>): Promise<string> {
  const server = createServer((asked, response) => {
    const { method, url: path } = asked
    const sent = { ...asked.headers, ...headers, host: `127.0.0.1:${port}` }
    const onward = request({ host: '127.0.0.1', port, method, path, headers: sent }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    asked.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a browser is told that pages of an origin may send. */
async function preflight(port: number, origin: string): Promise<{ methods: string[]; headers: string[] }> {
  const { headers } = await call(port, 'OPTIONS', '/turns/trn_none', { headers: { Origin: origin } })
  const listOf = (name: string): string[] =>
    String(headers[name] ?? '')
      .split(', ')
      .filter((each) => each !== '')
  return {
    methods: listOf('access-control-allow-methods'),
    headers: listOf('access-control-allow-headers').map((name) => name.toLowerCase()),
  }
}

/** The methods and headers that are handed to `fetch` by every call that there is. */
async function sentByAll(baseUrl: string): Promise<{ methods: string[]; headers: string[] }> {
  const { fetch: sends } = globalThis
  const methods = new Set<string>()
  const headers = new Set<string>()
  globalThis.fetch = (input, init) => {
    if (init?.method !== undefined) methods.add(init.method)
    for (const name of new Headers(init?.headers).keys()) headers.add(name)
    return sends(input, init)
  }
  const client = new StringClient({ baseUrl })
  try {
    for (const made of allCalls(client)) await made()
    await client.events({ after: 'evt_00000000000000000000000000', signal: AbortSignal.timeout(300) }).next()
  } finally {
    globalThis.fetch = sends
  }
  return { methods: [...methods], headers: [...headers] }
}

/** Each call of a client, with two names, and without any where it takes options alone; what comes of it does not matter. */
function allCalls(client: StringClient): (() => Promise<unknown>)[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(StringClient.prototype))
    .filter((name) => name !== 'constructor' && name !== 'shutdown')
    .map((name) => [client, Reflect.get(client, name)] as const)
  const groups = Object.values(client).flatMap((group: unknown) =>
    typeof group === 'object' && group !== null
      ? Object.values(group).map((each: unknown) => [group, each] as const)
      : [],
  )
  const ways = [...own, ...groups].flatMap(([on, method]) =>
    [['bash:x', 'none'], []].map((given) => ({ on, method, given })),
  )
  return ways.map(({ on, method, given }) => async () => {
    if (typeof method !== 'function') return
    try {
      const stream = (await Reflect.apply(method, on, given)) as Partial<AsyncGenerator> | null
      await Promise.race([stream?.next?.(), new Promise((resolve) => setTimeout(resolve, 100))])
      void stream?.return?.(undefined)
    } catch {
      // Refused, or not asked so.
    }
  })
}

describe('the client of a browser, over fetch', () => {
  it('runs commands, asks an agent and watches, as the one on Node does', async () => {
    const { port, home } = await startTestDaemon()
    giveProfile(
      home,
      `echo '{"type":"partial","text":"hello"}'; echo '{"type":"result","text":"hello"}'`,
      'wire: "0.4"\n',
    )
    const client = new StringClient({ baseUrl: `http://127.0.0.1:${port}` })
    expect(await client.ping()).toBe(true)
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const heard: WatchMessage[] = []
    const watching = (async () => {
      for await (const news of client.watch({ signal: stop.signal })) heard.push(news)
    })()
    await expect.poll(() => heard.some(({ type }) => type === 'ready')).toBe(true)
    expect((await client.exec('main', '/ls')).ok).toBe(true)
    const said: string[] = []
    for await (const event of client.turn('hi')) said.push(event.type)
    expect(said).toEqual(['start', 'partial', 'result'])
    await expect.poll(() => heard.some((news) => news.type === 'change' && news.kind === 'turn')).toBe(true)
    stop.abort()
    await watching
    await expect(client.turns.get('trn_none')).rejects.toThrow(HttpError)
    expect(client.as('bob').agent).toBe('bob')
  })

  it('checks its options as the one on Node does, and says where what is none belongs', () => {
    /** As JavaScript calls it. */
    const made = (options: unknown) => () => Reflect.construct(StringClient, [options]) as unknown
    expect(made({ agnt: 1 })).toThrow(new TypeError('StringClient in a page: unknown option agnt; did you mean agent?'))
    expect(made({ agent: 5 })).toThrow('agent must be the id of an agent, not 5')
    expect(made({ baseUrl: 5 })).toThrow('baseUrl must be an address, such as http://127.0.0.1:3923, not 5')
    for (const baseUrl of ['127.0.0.1:3923', 'x', 'ws://localhost']) expect(made({ baseUrl })).toThrow('an address')
    expect(made('x')).toThrow('its options must be an object, { baseUrl: … }, not x')
    expect(made({ port: 3932 })).toThrow('unknown option port; baseUrl says where the daemon is')
    expect(made({ autoStart: () => 1 })).toThrow('a page starts no daemon')
    expect(made({ create: true })).toThrow('a page makes an agent with agents.register(id)')
    for (const baseUrl of ['', '/behind', 'http://127.0.0.1:3923', 'https://localhost/'])
      expect(made({ baseUrl, agent: undefined })).not.toThrow()
    const as: unknown = Reflect.get(new StringClient(), 'as')
    expect(() => Reflect.apply(as as () => unknown, null, [5]) as unknown).toThrow(
      'as(agent): agent must be a string, not 5',
    )
  })

  it('rejects with the reason of its signal, or in the end, while nobody answers; what is no stringd is none', async () => {
    const held: Socket[] = []
    const mute = createTcpServer((socket) => void held.push(socket)).listen(0, '127.0.0.1')
    const web = createServer((_request, response) => void response.writeHead(404).end('<h1>Not found</h1>'))
    web.listen(0, '127.0.0.1')
    onTestFinished(() => {
      for (const socket of held) socket.destroy()
      mute.close()
      web.close()
    })
    await Promise.all([once(mute, 'listening'), once(web, 'listening')])
    const at = (server: typeof mute): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const stop = new AbortController()
    const client = new StringClient({ baseUrl: at(mute) })
    const left = [
      client.exec('main', '/ls', { signal: stop.signal }),
      client.turn('x', { signal: stop.signal }).next(),
    ].map((each) => expect(each).rejects.toThrow('enough'))
    stop.abort(new Error('enough'))
    await Promise.all(left)
    const other = new StringClient({ baseUrl: at(web) })
    await expect(other.health()).rejects.toMatchObject({ code: 'FOREIGN_DAEMON', hasAnswered: true })
    expect(await other.ping()).toBe(false)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hurry = setInterval(() => vi.advanceTimersByTime(1_000), 10)
    onTestFinished(() => clearInterval(hurry))
    await expect(client.health()).rejects.toThrow(`What listens at ${at(mute)} does not answer`)
    await expect(client.exec('main', '/ls')).rejects.toThrow(UnreachableError)
  })

  it('says what a page can do about being refused, and not what a program can', async () => {
    const { port } = await startTestDaemon()
    const through = await asPage(port, { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-site' })
    await expect(new StringClient({ baseUrl: through }).health()).rejects.toMatchObject({
      status: 403,
      message: 'Forbidden: a page of another port; STRING_ALLOW_ORIGINS may list its origin',
      next: '`STRING_ALLOW_ORIGINS=http://localhost:5173 string restart` lets this page in',
    })
    const foreign = await asPage(port, { Origin: 'https://example.com', 'Sec-Fetch-Site': 'cross-site' })
    const news = new StringClient({ baseUrl: foreign }).watch()
    await expect(news.next()).rejects.toMatchObject({
      status: 403,
      next: expect.stringMatching(/^Only pages of this machine may ask: open it by 127\.0\.0\.1 or localhost/),
    })
    const client = new StringClient({ baseUrl: `http://127.0.0.1:${port}/`, agent: 'nobody' })
    const agents = { next: '`agents.list()` has all agents; `agents.register(id)` makes one' }
    await expect(client.exec('main', '/ls')).rejects.toMatchObject(agents)
    await expect(client.turn('hello').next()).rejects.toMatchObject(agents)
    await expect(client.agents.register('bob', { home: 'here' })).rejects.toMatchObject({
      next: expect.stringMatching(/^A page is in no folder/),
    })
  })

  it('says that no daemon answers, whatever was to be asked of it, and goes on when there is one', async () => {
    const { port, stop } = await startTestDaemon()
    const client = new StringClient({ baseUrl: `http://127.0.0.1:${port}` })
    await client.agents.register('bob')
    await stop()
    const away = { code: 'UNREACHABLE', next: expect.stringContaining('string start') as string }
    for (const ask of [() => client.health(), () => client.agents.register('bob'), () => client.agents.pause('bob')])
      await expect(ask()).rejects.toMatchObject(away)
    const fresh = new StringClient({ baseUrl: `http://127.0.0.1:${port}` })
    await expect(fresh.agents.register('bob')).rejects.toMatchObject(away)
  })

  it('says of what is no stringd how a page names another', async () => {
    const other = createServer((_request, response) => response.end('hello'))
    other.listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    await expect(new StringClient({ baseUrl }).health()).rejects.toMatchObject({
      code: 'FOREIGN_DAEMON',
      message: 'What answered GET /health is not stringd: that is no JSON',
      next: 'Set `baseUrl` to the address of your own daemon: `string status` tells it',
    })
  })

  it('S1: sends nothing that a page which is let in may not send, and another page is granted none of it', async () => {
    const origin = 'http://localhost:5173'
    const { port } = await startTestDaemon({ allowOrigins: [origin] })
    const sent = await sentByAll(`http://127.0.0.1:${port}`)
    const [ours, foreign] = await Promise.all([origin, 'http://localhost:9999'].map((from) => preflight(port, from)))
    expect(sent.methods.filter((method) => !ours?.methods.includes(method))).toEqual([])
    expect(sent.headers.toSorted()).toEqual(['accept', ...(ours?.headers ?? [])].toSorted())
    expect(foreign).toEqual({ methods: [], headers: ['content-type', 'x-agent-id'] })
  })

  it('says without a page that it needs an address', async () => {
    await expect(new StringClient().exec('main', '/ls')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'There is no page here, whose address would be that of the daemon',
      next: "Say where it is: new StringClient({ baseUrl: 'http://127.0.0.1:3923' })",
    })
  })

  it('does not make an agent again that was deleted while the page was open', async () => {
    const { port } = await startTestDaemon()
    const client = new StringClient({ baseUrl: `http://127.0.0.1:${port}`, agent: 'bob' })
    await client.agents.register('bob')
    expect((await client.exec('main', '/ls')).ok).toBe(true)
    await client.agents.remove('bob')
    for (const stale of [client, client.as('bob')]) {
      await expect(stale.exec('main', '/ls')).rejects.toThrow('Unknown agent: bob')
      await expect(stale.complete('main', '/o')).rejects.toThrow('Unknown agent: bob')
      await expect(stale.chanflow('<𝒞=string:main>/ls</𝒞>')).rejects.toThrow('Unknown agent: bob')
      await expect(stale.sessions.open('main')).rejects.toThrow(HttpError)
      await expect(stale.webhook.show()).rejects.toThrow(HttpError)
    }
    expect((await client.agents.list()).map(({ id }) => id)).not.toContain('bob')
  })

  it('tells with an agent that nobody has which one may be meant, whatever was asked of it', async () => {
    const { port } = await startTestDaemon()
    const { agents } = new StringClient({ baseUrl: `http://127.0.0.1:${port}` })
    await agents.register('helper')
    const meant = {
      message: 'Unknown agent: helpr',
      next: expect.stringMatching(/^Did you mean helper\? `agents\.list/),
    }
    const page = new StringClient({ baseUrl: `http://127.0.0.1:${port}`, agent: 'helpr' })
    for (const client of [new NodeClient({ port, agent: 'helpr' }), page]) {
      await expect(client.exec('main', '/ls')).rejects.toMatchObject(meant)
      await expect(client.chanflow('<𝒞=string:main>/ls</𝒞>')).rejects.toMatchObject(meant)
      await expect(client.complete('main', '/o')).rejects.toMatchObject(meant)
      await expect(client.turn('hello').next()).rejects.toMatchObject(meant)
      await expect(client.events().next()).rejects.toMatchObject(meant)
      await expect(client.webhook.show()).rejects.toMatchObject(meant)
      await expect(client.agents.get('helpr')).rejects.toMatchObject(meant)
    }
    expect((await agents.list()).map(({ id }) => id)).not.toContain('helpr')
    expect((await new NodeClient({ port, agent: 'helpr', create: true }).exec('main', '/ls')).ok).toBe(true)
    await expect(agents.get('nobody')).rejects.toMatchObject({ next: expect.stringMatching(/^`agents\.list/) })
  })

  it('says that nobody answers', async () => {
    const { port, stop } = await startTestDaemon()
    await stop()
    const client = new StringClient({ baseUrl: `http://127.0.0.1:${port}` })
    await expect(client.agents.list()).rejects.toThrow(UnreachableError)
    await expect(client.health()).rejects.toThrow(`No answer from stringd at http://127.0.0.1:${port}: `)
    expect(await client.ping()).toBe(false)
  })
})
