import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { STRINGD } from '../support/cli.ts'
import { call } from '../support/http.ts'
import { describePage } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

const FILES = ['/', '/page.js', '/page.css']

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; " +
  "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

describePage('the files of the page', (browsers) => {
  const place = new PagePlace()
  beforeAll(() => place.start())
  afterAll(() => place.stop())

  it.each(FILES)('%s carries every header that keeps it to itself', async (path) => {
    const { status, headers } = await call(place.port, 'GET', path)
    expect(status).toBe(200)
    const wanted = {
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    }
    expect(headers).toMatchObject(wanted)
    // Also where the browser has it already.
    const known = await call(place.port, 'GET', path, { headers: { 'If-None-Match': headers.etag ?? '' } })
    expect(known).toMatchObject({ status: 304, headers: wanted })
  })

  it('are all that the build has made', () => {
    const made = readdirSync(join(STRINGD, '../../dist/page')).map((name) => (name === 'index.html' ? '/' : `/${name}`))
    expect(made.toSorted()).toEqual(FILES.toSorted())
  })

  it('are three, of at most 120 KB together when packed', async () => {
    const texts = await Promise.all(FILES.map(async (path) => (await call(place.port, 'GET', path)).text))
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
    expect(bytes).toBeLessThanOrEqual(120 * 1024)
  })

  it('and at most three requests for data are the first sight, beside the one stream, and all go to the daemon', async () => {
    await place.agent('ada')
    const page = await browsers.page()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(place.url)
    await page.getByRole('link', { name: 'ada', exact: false }).first().waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    expect(asked.every((url) => url.startsWith(place.url) || url.startsWith('data:'))).toBe(true)
    const paths = asked.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).pathname)
    expect(paths.filter((path) => FILES.includes(path)).sort()).toEqual([...FILES].sort())
    expect(paths.filter((path) => path === '/watch')).toHaveLength(1)
    expect(paths.filter((path) => path !== '/watch' && !FILES.includes(path)).length).toBeLessThanOrEqual(3)
  })

  it('load a window of many agents: what needs somebody comes first, the rest on demand, and the daemon counts and finds', async () => {
    for (let number = 0; number < 130; number += 1)
      await place.ask('POST', '/agents', { agent_id: `many-${String(number).padStart(3, '0')}` })
    await place.agent('zz-late')
    await place.agent('zz-wrong')
    void place.turn('zz-late', 'hold').catch(() => undefined)
    await place.turn('zz-wrong', 'fail it broke')
    const page = await browsers.page()
    const most: number[] = []
    const named: string[] = []
    page.on('response', async (response) => {
      const { pathname, searchParams } = new URL(response.url())
      if (pathname !== '/agents') return
      named.push(searchParams.get('named') ?? '')
      most.push(((await response.json()) as { agents: unknown[] }).agents.length)
    })
    await page.goto(place.url)
    const rows = page.locator('.agent-rows [data-row]')
    const places = page.getByRole('navigation', { name: 'Places' })
    // Those of this test, and the one of the test before.
    await places.getByRole('link', { name: 'Agents 133' }).waitFor()
    await expect.poll(() => rows.count()).toBe(50)
    await expect.poll(async () => (await rows.nth(0).getAttribute('data-id')) ?? '').toBe('zz-late')
    expect(await rows.nth(1).getAttribute('data-id')).toBe('zz-wrong')
    await page.getByRole('link', { name: '1 running' }).waitFor()
    await page.getByRole('link', { name: '1 went wrong' }).waitFor()
    await page.getByRole('button', { name: 'idle 131' }).waitFor()
    // What changes beyond it makes it no longer.
    await place.ask('POST', '/agents/many-129/pause')
    await place.ask('POST', '/agents', { agent_id: 'zz-new' })
    await places.getByRole('link', { name: 'Agents 134' }).waitFor()
    await page.getByRole('button', { name: 'paused 1' }).waitFor()
    await expect.poll(() => rows.count()).toBe(50)
    expect(Math.max(...most)).toBeLessThanOrEqual(51)
    await page.getByRole('button', { name: 'Show more, 84 are left' }).click()
    await expect.poll(() => rows.count()).toBe(100)
    await page.getByRole('button', { name: 'Show more, 34 are left' }).waitFor()
    // Nothing that is loaded has this name.
    await page.getByLabel('Part of a name').fill('Y-129')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.nth(0).getAttribute('data-id')).toBe('many-129')
    expect(named).toContain('Y-129')
    await page.getByLabel('Part of a name').fill('nobody')
    await page.getByText('No agent is so.').waitFor()
    await page.getByLabel('Part of a name').fill('')
    await page.getByRole('button', { name: 'paused 1' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.locator('main').press('/')
    await page.getByRole('combobox').fill('many-128')
    await page.getByRole('option', { name: 'many-128' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'many-128' }).waitFor()
    await place.ask('POST', '/agents/zz-late/stop')
  })
})
