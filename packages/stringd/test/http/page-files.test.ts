import { mkdirSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, type Reply } from '../../../../test/support/http.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { PAGE_ROUTES } from '../../src/http/handle/page.ts'
import type { Services } from '../../src/http/route.ts'
import { createPageFiles } from '../../src/http/serve/page-files.ts'
import { createHttpServer } from '../../src/http/serve/server.ts'

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const FILES = { '/': 'text/html', '/page.js': 'text/javascript', '/page.css': 'text/css' }
const LINK = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }

/** The page's routes alone, over a folder of our own. */
async function serve(folder: string): Promise<number> {
  const services = { pageFiles: createPageFiles(folder) } as Services
  const { server }: { server: Server } = createHttpServer(PAGE_ROUTES, Promise.resolve(services))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function page(): string {
  const folder = join(tempDir(), 'page')
  mkdirSync(folder)
  for (const name of ['index.html', 'page.js', 'page.css']) writeFileSync(join(folder, name), `of ${name}`)
  return folder
}

describe("the page's own files", () => {
  it('come with their type and every header, and 304 to whoever has them', async () => {
    const port = await serve(page())
    for (const [path, type] of Object.entries(FILES)) {
      const answer: Reply = await call(port, 'GET', path)
      expect(answer, path).toMatchObject({
        status: 200,
        headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` },
      })
      const again = await call(port, 'GET', path, { headers: { 'If-None-Match': answer.headers.etag ?? '' } })
      expect(again, path).toMatchObject({ status: 304, text: '', headers: HEADERS })
    }
  })

  it('are what a link on a foreign page leads to, and nothing else of it is served', async () => {
    const port = await serve(page())
    for (const path of Object.keys(FILES)) {
      expect(await call(port, 'GET', path, { headers: LINK }), path).toMatchObject({ status: 200 })
      for (const other of [
        { ...LINK, 'Sec-Fetch-Dest': 'iframe' },
        { ...LINK, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
        { ...LINK, Origin: 'https://evil.com' },
        { ...LINK, Origin: 'http://localhost:1' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ])
        expect(await call(port, 'GET', path, { headers: other }), JSON.stringify(other)).toMatchObject({ status: 403 })
      expect(await call(port, 'POST', path, { headers: LINK }), path).toMatchObject({ status: 403 })
    }
    expect(await call(port, 'GET', '/health', { headers: LINK })).toMatchObject({ status: 403 })
  })

  it('are told to be missing where the build has none', async () => {
    const port = await serve(tempDir())
    expect(await call(port, 'GET', '/')).toMatchObject({
      status: 404,
      json: { error: expect.stringContaining('npm run build') as string },
    })
  })
})
