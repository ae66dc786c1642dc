import { StringClient as NodeClient } from '@string-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestDaemon } from '../../stringd/test/support/daemon.ts'
import { giveProfile } from '../../stringd/test/support/turns.ts'
import { HttpError, StringClient, UnreachableError, type WatchMessage } from '../src/browser.ts'

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
    expect(await client.ping()).toBe(false)
  })
})
