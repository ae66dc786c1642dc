import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StringClient as NodeClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
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
    expect(made({ agent: 5 })).toThrow('agent must be a string, not 5')
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
