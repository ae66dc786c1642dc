import { describe, expect, it } from 'vitest'
import { readUrl } from '../../src/packages/source/read-url.ts'
import { fetcherFor, startServer } from '../web/page-server.ts'

const PUBLIC = '93.184.216.34'

describe('a manifest', () => {
  it.each(['http://127.0.0.1:PORT/x', 'http://inside.test:PORT/x', 'http://169.254.169.254/latest', '/redirect'])(
    'S26: from a public address fetches nothing from %s',
    async (url) => {
      const { port, requests } = await startServer((request, response) => {
        if (request.url === '/redirect')
          return void response.writeHead(302, { Location: `http://127.0.0.1:${port}/x` }).end()
        const files = [
          { path: 'string.md', content: '# X' },
          { path: 'a', url: url.replace('PORT', String(port)) },
        ]
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ files }))
      })
      const fetch = fetcherFor({ 'public.test': [PUBLIC], 'inside.test': ['10.0.0.1'] })
      const { signal } = new AbortController()
      const source = await readUrl({ url: `http://public.test:${port}/m.json`, link: false, signal }, fetch)
      expect(source).toMatchObject({ ok: false, code: 'INVALID_TARGET' })
      expect(requests.map((request) => request.url)).not.toContain('/x')
    },
  )

  it('that a topic no longer waits for is not fetched to its end', async () => {
    const { port, requests } = await startServer((request, response) => {
      if (request.url !== '/m.json') return
      const files = [
        { path: 'string.md', content: '# X' },
        { path: 'a', url: '/never' },
        { path: 'b', url: '/later' },
      ]
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ files }))
    })
    const controller = new AbortController()
    const fetch = fetcherFor({ 'public.test': [PUBLIC] })
    const reading = readUrl({ url: `http://public.test:${port}/m.json`, link: false, signal: controller.signal }, fetch)
    await expect.poll(() => requests.length).toBe(2)
    controller.abort()
    expect(await reading).toMatchObject({ ok: false })
    expect(requests.map((request) => request.url)).toEqual(['/m.json', '/never'])
  })
})
