import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { StringClient } from '@string-os/client/browser'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { blocksOf, root } from '../docs/pages.ts'
import { describePage } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

/** The page of docs/client.md beside the built client, on a port of its own. */
async function serveOwnPage(html: () => string): Promise<string> {
  const script = readFileSync(join(root, 'packages/client/dist/browser.js'), 'utf8')
  const server = createServer(({ url }, response) => {
    const isScript = url === '/browser.js'
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : html())
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** What a page keeps between two steps of a test. */
interface Kept {
  client: StringClient
  heard: string[]
  stop: AbortController
}

/** A page with nothing but the client, and the daemon that lets it in. */
async function clientInPage(
  page: Page,
  isAllowed = true,
): Promise<{ place: PagePlace; as: <T>(work: (kept: Kept) => T) => Promise<Awaited<T>> }> {
  const script = "import { StringClient } from './browser.js'; globalThis.StringClient = StringClient"
  const origin = await serveOwnPage(() => `<!doctype html><script type="module">${script}</script>`)
  const place = await new PagePlace(isAllowed ? { STRING_ALLOW_ORIGINS: origin } : {}).start()
  onTestFinished(() => place.stop())
  await page.goto(origin)
  await page.evaluate((baseUrl) => {
    const { StringClient: Client } = globalThis as unknown as { StringClient: typeof StringClient }
    Object.assign(globalThis, {
      kept: { client: new Client({ baseUrl, agent: 'helper' }), heard: [], stop: new AbortController() },
    })
  }, place.url)
  const as = async <T>(work: (kept: Kept) => T): Promise<Awaited<T>> => {
    const kept = await page.evaluateHandle(() => (globalThis as unknown as { kept: Kept }).kept)
    return (await kept.evaluate(work as (kept: Kept) => unknown)) as Awaited<T>
  }
  return { place, as }
}

describePage("a page of somebody's own", (browsers) => {
  it('as docs/client.md has it speaks to the daemon that was told of it, and says else what to do', async () => {
    const [block] = blocksOf('docs/client.md').filter(({ language }) => language === 'html')
    let baseUrl = ''
    const origin = await serveOwnPage(() => block?.text.replace('http://127.0.0.1:3923', baseUrl) ?? '')
    for (const isAllowed of [false, true]) {
      const place = await new PagePlace(isAllowed ? { STRING_ALLOW_ORIGINS: origin } : {}).start()
      onTestFinished(() => place.stop())
      baseUrl = place.url
      const page = await browsers.page()
      await page.goto(origin)
      const told = isAllowed ? 'hello' : `STRING_ALLOW_ORIGINS=${origin} string restart`
      await expect.poll(() => page.locator('#said').textContent()).toContain(told)
    }
  })

  it('that is let in ends what it began: a turn, a topic, a conversation, an agent', async () => {
    const { place, as } = await clientInPage(await browsers.page())
    await place.agent('helper')
    const cancelled = await as(async ({ client }) => {
      for await (const event of client.turn('hold')) {
        if (event.type === 'start') await client.turns.cancel(event.turn_id)
        if (event.type === 'result') return event.code
      }
      return null
    })
    expect(cancelled).toBe('CANCELLED')
    expect(await as(({ client }) => client.exec('work', '/ls').then(() => client.sessions.close('work')))).toBe(true)
    const forgotten = await as(async ({ client }) => {
      for await (const _ of client.turn('say yes', { session: 'talk' }));
      return client.agents.forgetSession('helper', 'talk')
    })
    expect(forgotten).toBe(true)
    expect(await as(({ client }) => client.agents.remove('helper'))).toBe(true)
  })

  it('that is let in hears events on behind one that it names, also over a restart of the daemon', async () => {
    const { place, as } = await clientInPage(await browsers.page())
    await place.agent('helper')
    const { webhook_url } = await place.ask<{ webhook_url: string }>('GET', '/agents/helper/webhook')
    const say = async (text: string): Promise<void> => void (await fetch(webhook_url, { method: 'POST', body: text }))
    for (const text of ['one', 'two', 'three']) await say(text)
    await as(({ client, heard, stop }) => {
      void (async () => {
        const after = (await client.inbox.list()).at(-1)?.id
        const onLost = (): void => void heard.push('lost')
        for await (const event of client.events({ after, onLost, signal: stop.signal })) heard.push(event.text)
      })().catch((error: Error) => heard.push(error.message))
    })
    const heard = (): Promise<string[]> => as((kept) => kept.heard)
    await expect.poll(heard).toEqual(['two', 'three'])
    await place.kill('SIGTERM')
    await expect.poll(heard).toContain('lost')
    await place.start()
    await say('four')
    await expect.poll(async () => (await heard()).filter((each) => each !== 'lost')).toEqual(['two', 'three', 'four'])
    await as(({ stop }) => stop.abort())
  })

  it('that is not let in is told so whatever it asks, and that nobody answers where nobody does', async () => {
    const { place, as } = await clientInPage(await browsers.page(), false)
    await place.agent('helper')
    const refused = (): Promise<unknown> =>
      as(({ client }) =>
        client.turns.cancel('trn_none').catch(({ code, next }: { code: string; next: string }) => [code, next]),
      )
    expect(await refused()).toEqual([
      'HTTP_403',
      expect.stringMatching(/^`STRING_ALLOW_ORIGINS=http:\/\/localhost:\d+ string restart`/),
    ])
    await place.kill()
    expect(await refused()).toEqual(['UNREACHABLE', '`string start` starts the daemon; then try again'])
  })

  it('of which the browser refuses a request is not told that the daemon went away, or that none runs', async () => {
    const page = await browsers.page()
    const { place, as } = await clientInPage(page)
    await page.route('**/turns/*', (route) => route.abort('blockedbyclient'))
    const told = await as(({ client }) =>
      Promise.all(
        [client.turns.cancel('trn_none'), client.turns.get('trn_none')].map((asked) =>
          asked.catch(({ code, message, next }: { code: string; message: string; next: string }) => [
            code,
            message,
            next,
          ]),
        ),
      ),
    )
    const { origin } = new URL(place.url)
    const seen = expect.stringMatching(/^The console of the browser says whether/) as string
    expect(told).toEqual([
      ['STREAM_INCOMPLETE', `The browser has no answer to DELETE /turns/trn_none, but ${origin} answers`, seen],
      ['UNREACHABLE', `The browser has no answer to GET /turns/trn_none, but ${origin} answers`, seen],
    ])
  })
})
