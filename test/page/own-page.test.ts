import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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
})
