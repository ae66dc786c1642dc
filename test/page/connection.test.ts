import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { call } from '../support/http.ts'
import { hasPostgres, PostgresServer } from '../support/postgres.ts'
import { describePage, looksRight, VIEWS } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

describePage('the connection of the page', (browsers) => {
  const place = new PagePlace()
  beforeAll(() => place.start())
  afterAll(() => place.stop())

  const live = async (context: BrowserContext, hash = '#/'): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(place.url + hash)
    await page.getByText('live', { exact: true }).waitFor()
    return page
  }

  it('says that the daemon was killed, comes back by itself when it is back, and has missed nothing', async () => {
    await place.agent('before')
    const pages: Page[] = []
    for (const view of VIEWS) pages.push(await live(await browsers.context(view)))
    const [page = await browsers.page()] = pages
    await page.getByRole('link', { name: 'before' }).first().waitFor()
    await place.kill()
    for (const [at, view] of VIEWS.entries()) {
      await pages[at]?.getByText('The daemon does not answer.').waitFor()
      if (pages[at] !== undefined) await looksRight(pages[at], view)
    }
    await page.getByText('reconnecting', { exact: true }).waitFor()
    // What was there is still to be read.
    expect(await page.getByRole('link', { name: 'before' }).count()).toBeGreaterThan(0)
    await place.start()
    await place.agent('meanwhile')
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('The daemon does not answer.').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'meanwhile' }).first().waitFor()
  })

  it('brings by itself what the daemon could not give for a moment, and what was closed elsewhere is gone', async () => {
    await place.agent('asleep')
    const exec = (cmd: string) =>
      call(place.port, 'POST', '/exec', { headers: { 'X-Agent-Id': 'asleep' }, body: { cmd, topic: 'desk' } })
    const page = await live(await browsers.context())
    let isAway = true
    const away = { status: 503, json: { error: 'The store cannot be reached' } }
    await page.route('**/events?*', (route) => (isAway ? route.fulfill(away) : route.continue()))
    await page.goto(`${place.url}#/inbox`)
    await page.getByText('The inbox could not be loaded.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    isAway = false
    await page.getByText('Nothing arrived.').waitFor()
    await exec('/write note.md\n# Here for now')
    await exec('/open note.md')
    await page.goto(`${place.url}#/agents/asleep/topics/desk`)
    await page.getByRole('heading', { name: 'Here for now' }).waitFor()
    await place.ask('DELETE', '/sessions/asleep/desk')
    await page.getByText('Nothing is open in this topic.').waitFor()
  })

  it('that broke in the middle of an answer shows how that turn ended', async () => {
    await place.agent('broken')
    const context = await browsers.context()
    const page = await live(context, '#/agents/broken')
    await page.getByRole('textbox', { name: 'Message to' }).fill('hold')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('word3').waitFor()
    await place.kill()
    await page.getByText('The daemon does not answer.').waitFor()
    await place.start()
    await page.getByText('interrupted').first().waitFor()
    await page.getByText('The daemon died while the turn ran').waitFor()
  })

  it('is one for eight tabs, all of them live, and goes on when the tab that had it is closed', async () => {
    await place.agent('shared')
    const context = await browsers.context()
    let streams = 0
    const urls: string[] = []
    context.on('request', (request) => {
      if (!request.url().includes('/watch')) return
      streams += 1
      urls.push(request.url())
    })
    const pages: Page[] = []
    for (let tab = 0; tab < 8; tab += 1) pages.push(await live(context))
    expect(streams).toBe(1)
    await place.agent('for-all')
    await Promise.all(pages.map((page) => page.getByRole('link', { name: 'for-all' }).first().waitFor()))
    await pages[0]?.close()
    await expect.poll(() => streams).toBe(2)
    // It goes on where the other one was.
    expect(urls[1]).toMatch(/since=\d+/)
    await place.agent('for-the-rest')
    await Promise.all(pages.slice(1).map((page) => page.getByRole('link', { name: 'for-the-rest' }).first().waitFor()))
  })

  it('streams one answer into two tabs', async () => {
    await place.agent('twice')
    const context = await browsers.context()
    const pages = [await live(context, '#/agents/twice'), await live(context, '#/agents/twice')]
    const [first] = pages
    await first?.getByRole('textbox', { name: 'Message to' }).fill('stream 120')
    await first?.getByRole('button', { name: 'Send' }).click()
    const words = async (page: Page): Promise<number> =>
      (await page.locator('.reply').last().innerText()).match(/word\d+/g)?.length ?? 0
    for (const page of pages) {
      await page.getByText('word5').waitFor()
      expect(await words(page)).toBeLessThan(120)
    }
    for (const page of pages) {
      await page.locator('.turn.done').waitFor()
      await expect.poll(() => words(page)).toBe(120)
    }
  })

  it('lets two tabs and a terminal answer one approval: one wins, and all show the same', async () => {
    await place.agent('asked')
    const context = await browsers.context()
    const first = await live(context, '#/agents/asked')
    await first.getByRole('textbox', { name: 'Message to' }).fill('ask make install')
    await first.getByRole('button', { name: 'Send' }).click()
    await first.getByRole('button', { name: 'Allow' }).waitFor()
    const second = await live(context, '#/approvals')
    await second.getByRole('button', { name: 'Deny' }).waitFor()
    const { approvals } = await place.ask<{ approvals: { id: string }[] }>('GET', '/approvals?state=waiting')
    const [{ id } = { id: '' }] = approvals
    // Pressed at once, also where the other answer has just taken the button away.
    const buttons = await Promise.all([
      first.getByRole('button', { name: 'Allow' }).elementHandle(),
      second.getByRole('button', { name: 'Deny' }).elementHandle(),
    ])
    await Promise.all([
      ...buttons.map((button) => button?.evaluate((each) => each instanceof HTMLElement && each.click())),
      place.string(['approve', id]),
    ])
    const { state } = await place.ask<{ state: string }>('GET', `/approvals/${id}`)
    expect(['allowed', 'denied']).toContain(state)
    await first.getByText(`The answer was ${state === 'allowed' ? 'allow' : 'deny'}.`).waitFor()
    await second.getByText('Nobody waits for you.').waitFor()
    await second.goto(`${place.url}#/approvals/${id}`)
    await second.getByRole('article').getByText(state).waitFor()
  })

  it.skipIf(!hasPostgres)('shows the nodes of a fleet, and the agents of all with where they live', async () => {
    const server = new PostgresServer({})
    onTestFinished(() => server.end())
    await server.begin()
    const store = server.url(await server.database())
    const nodes = ['north', 'south'].map((node) => new PagePlace({ STRING_STORE: store, STRING_NODE: node }))
    const [north = place, south = place] = nodes
    for (const node of nodes) {
      onTestFinished(() => node.stop())
      await node.start()
    }
    await north.agent('ada')
    await south.agent('bea')
    void south.turn('bea', 'hold').catch(() => undefined)
    for (const view of VIEWS) {
      const page = await browsers.page(view)
      await page.goto(`${north.url}#/`)
      const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Pause bea' }) })
      await row.getByText('on south').waitFor()
      await row.getByText('running').waitFor()
      await page.getByRole('link', { name: '1 running' }).waitFor()
      const own = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Pause ada' }) })
      await own.getByText('idle').waitFor()
      expect(await own.getByText('on north').count()).toBe(0)
      await looksRight(page, view)
      await page.goto(`${north.url}#/agents/bea`)
      await page.getByRole('heading', { name: 'bea' }).waitFor()
      await page.getByText('on south').waitFor()
      await page.getByRole('article', { name: 'running' }).waitFor()
      await page.goto(`${north.url}#/fleet`)
      await page.getByRole('heading', { name: 'Fleet' }).waitFor()
      for (const [name, state, running] of [
        ['north', 'up, this one', '0 running'],
        ['south', 'up', '1 running'],
      ] as const) {
        const node = page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
        await node.getByText(state, { exact: true }).waitFor()
        await node.getByText(/^\d agents?$/).waitFor()
        await node.getByText(running, { exact: true }).waitFor()
        await node.getByText('0 waiting', { exact: true }).waitFor()
      }
      await looksRight(page, view)
      await page.goto(`${north.url}#/system`)
      await page.getByRole('heading', { name: 'Nodes' }).waitFor()
      await page.getByText('up', { exact: true }).waitFor()
    }
    const page = await browsers.page()
    await page.goto(`${north.url}#/fleet`)
    await page.getByText('up', { exact: true }).waitFor()
    await south.ask('POST', '/fleet/drain')
    await page.getByText('draining', { exact: true }).waitFor()
    await south.kill('SIGTERM')
    await page.getByText('stopped', { exact: true }).waitFor()
  })
})
