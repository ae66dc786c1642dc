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
})
