import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { failureIn, fetcherFor, pageIn, startServer } from './page-server.ts'

const HOSTS = { 'public.test': ['203.0.113.5'], 'other.test': ['203.0.113.6'] }

/** `/n` redirects to `/n-1`; `/0` is the page. Other paths redirect to what stands in their query. */
const redirecting: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  const left = Number(pathname.slice(1))
  const location = searchParams.get('to') ?? `/${left - 1}`
  if (left === 0) response.end('arrived')
  else response.writeHead(302, { location, 'set-cookie': 'session=1' }).end('moved')
}

describe('a redirect', () => {
  it.each([1, 5])('is followed %i times', async (times) => {
    const { origin, requests } = await startServer(redirecting)
    const page = pageIn(await fetcherFor(HOSTS)(`${origin}/${times}#part`, { from: null }))
    expect(page).toMatchObject({ url: `${origin}/0#part`, text: 'arrived' })
    expect(requests).toHaveLength(times + 1)
  })

  it('is not followed a sixth time (S26)', async () => {
    const { origin, requests } = await startServer(redirecting)
    const failure = failureIn(await fetcherFor(HOSTS)(`${origin}/6`, { from: null }))
    expect(failure).toMatchObject({ code: 'LOAD_ERROR', system: `${origin}/6 redirects more than 5 times` })
    expect(requests).toHaveLength(6)
  })

  it('that leads back is found out', async () => {
    const { origin, requests } = await startServer(redirecting)
    const failure = failureIn(await fetcherFor(HOSTS)(`${origin}/a?to=/a?to=/b`, { from: null }))
    expect(failure.code).toBe('LOAD_ERROR')
    const circle = failureIn(await fetcherFor(HOSTS)(`${origin}/a?to=`, { from: null }))
    expect(circle.system).toContain('go round in a circle')
    expect(requests.length).toBeLessThan(10)
  })

  it.each([
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://public.test/',
    'javascript:alert(1)',
    'http://me:hunter2@public.test/',
  ])('to %s is refused (S26)', async (to) => {
    const { origin } = await startServer(redirecting)
    const failure = failureIn(await fetcherFor(HOSTS)(`${origin}/a?to=${encodeURIComponent(to)}`, { from: null }))
    expect(failure.code).toBe('INVALID_TARGET')
    expect(JSON.stringify(failure)).not.toContain('hunter2')
  })

  it('to the port of the daemon is refused (S26)', async () => {
    const daemon = await startServer((_request, response) => response.end('secret'))
    const { origin } = await startServer(redirecting)
    const fetchPage = fetcherFor(HOSTS, { ownPort: () => daemon.port })
    const failure = failureIn(await fetchPage(`${origin}/a?to=http://localhost.:${daemon.port}/`, { from: null }))
    expect(failure.ok).toBe(false)
    const direct = failureIn(await fetchPage(`${origin}/a?to=http://127.1:${daemon.port}/`, { from: null }))
    expect(direct.system).toContain('the port of String itself')
    expect(daemon.requests).toHaveLength(0)
  })

  it.each(['http://127.0.0.1:PORT/0', 'http://[::1]:PORT/0', 'http://10.0.0.1:PORT/0', 'http://169.254.169.254/'])(
    'from a public page to %s is refused (S26)',
    async (to) => {
      const { port, requests } = await startServer(redirecting)
      const target = encodeURIComponent(to.replace('PORT', String(port)))
      const failure = failureIn(await fetcherFor(HOSTS)(`http://public.test:${port}/a?to=${target}`, { from: null }))
      expect(failure.code).toBe('INVALID_TARGET')
      expect(requests).toHaveLength(1)
    },
  )

  it('from this machine through the web does not lead back to this machine (S26)', async () => {
    const { port, origin, requests } = await startServer(redirecting)
    const back = `http://public.test:${port}/a?to=${encodeURIComponent(`${origin}/0`)}`
    const failure = failureIn(await fetcherFor(HOSTS)(`${origin}/a?to=${encodeURIComponent(back)}`, { from: null }))
    expect(failure.system).toContain('The public page http://public.test')
    expect(requests).toHaveLength(2)
  })

  it('carries no cookie, no referrer and no credentials along (S26)', async () => {
    const { port, requests } = await startServer(redirecting)
    pageIn(await fetcherFor(HOSTS)(`http://public.test:${port}/a?to=http://other.test:${port}/1`, { from: null }))
    expect(requests.map(({ headers }) => headers.host)).toEqual([
      `public.test:${port}`,
      `other.test:${port}`,
      `other.test:${port}`,
    ])
    for (const { headers } of requests) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    }
  })

  it('that does not say where to is a load error', async () => {
    const { origin } = await startServer((_request, response) => response.writeHead(301).end())
    expect(failureIn(await fetcherFor(HOSTS)(origin, { from: null })).code).toBe('LOAD_ERROR')
  })
})
