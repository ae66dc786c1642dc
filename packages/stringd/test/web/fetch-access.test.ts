import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PageOrigin } from '../../src/web/admission.ts'
import { failureIn, fetcherFor, pageIn, serve, startServer } from './page-server.ts'

const HOSTS = {
  'public.test': ['203.0.113.5'],
  'other.test': ['203.0.113.6', '2001:db8::6'],
  'local.test': ['127.0.0.1'],
  'home.test': ['192.168.1.10'],
  'mixed.test': ['203.0.113.5', '10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  localhost: ['::1', '127.0.0.1'],
  'none.test': [],
}

const PUBLIC: PageOrigin = { url: 'https://public.test/', reach: 'public' }
const HOUSE: PageOrigin = { url: 'http://home.test/', reach: 'private' }

describe('a URL that someone typed', () => {
  it('may lead to this machine, and its page says so (S26)', async () => {
    const { origin } = await startServer(serve('hello'))
    const page = pageIn(await fetcherFor(HOSTS)(`${origin}/x`, { from: null }))
    expect(page.origin).toEqual({ url: `${origin}/x`, reach: 'loopback' })
  })

  it.each([
    ['local.test', 'loopback'],
    ['home.test', 'private'],
    ['public.test', 'public'],
    ['mixed.test', 'public'],
    ['203.0.113.9', 'public'],
    ['[2001:db8::9]', 'public'],
  ])('at %s is fetched as %s, with the host it names', async (host, reach) => {
    const { port, requests } = await startServer(serve('hello'))
    const page = pageIn(await fetcherFor(HOSTS)(`http://${host}:${port}/`, { from: null }))
    expect(page).toMatchObject({ text: 'hello', origin: { reach } })
    expect(requests[0]?.headers.host).toBe(`${host}:${port}`)
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'local.test',
  ])('never reaches the port of the daemon as %s (S26)', async (host) => {
    const { port, requests } = await startServer(serve('secret'))
    const fetchPage = fetcherFor(HOSTS, { ownPort: () => port })
    const failure = failureIn(await fetchPage(`http://${host}:${port}/health`, { from: null }))
    expect(failure.code).toBe('INVALID_TARGET')
    expect(failure.system).toContain('the port of String itself')
    expect(requests).toHaveLength(0)
  })

  it.each(['http://127.0.0.1/', 'https://127.0.0.1/'])('%s counts with its default port (S26)', async (url) => {
    const fetchPage = fetcherFor(HOSTS, { ownPort: () => (url.startsWith('https') ? 443 : 80) })
    expect(failureIn(await fetchPage(url, { from: null })).code).toBe('INVALID_TARGET')
  })

  it.each([
    '169.254.169.254',
    '[fe80::1]',
    '100.100.100.200',
    '[fd00:ec2::254]',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
    '255.255.255.255',
    'metadata.test',
    '2852039166',
  ])('never reaches %s (S26)', async (host) => {
    const failure = failureIn(await fetcherFor(HOSTS)(`http://${host}/latest`, { from: null }))
    expect(failure.code).toBe('INVALID_TARGET')
  })

  it('is refused with a password in it, which no message repeats (S26)', async () => {
    for (const url of ['http://me:hunter2@public.test/x', 'http://hunter2@public.test/', 'http://me:hunter2@:x/']) {
      const failure = failureIn(await fetcherFor(HOSTS)(url, { from: null }))
      expect(failure.code).toBe('INVALID_TARGET')
      expect(JSON.stringify(failure)).not.toContain('hunter2')
    }
  })

  it.each([
    'file:///etc/passwd',
    'data:text/html,x',
    'ftp://public.test/',
    'javascript:alert(1)',
    'ws://public.test/',
    'not a url',
    '',
    'http://',
  ])('%j is refused (S26)', async (url) => {
    expect(failureIn(await fetcherFor(HOSTS)(url, { from: null })).code).toBe('INVALID_TARGET')
  })

  it('that is very long is refused', async () => {
    const failure = failureIn(await fetcherFor(HOSTS)(`http://public.test/${'a'.repeat(5000)}`, { from: null }))
    expect(failure.code).toBe('INVALID_TARGET')
  })

  it('whose host has no address is a load error that names the URL but not its query', async () => {
    const failure = failureIn(await fetcherFor(HOSTS)('http://none.test/a?token=s3cret', { from: null }))
    expect(failure.code).toBe('LOAD_ERROR')
    expect(failure.system).toContain('http://none.test/a?…')
    expect(failure.system).not.toContain('s3cret')
  })
})

describe('a link or include', () => {
  it.each([
    '127.0.0.1',
    '[::1]',
    '10.0.0.1',
    '192.168.1.1',
    '172.20.0.1',
    '100.64.0.9',
    '[fd12::1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
    'local.test',
    'home.test',
    'mixed.test',
  ])('of a public page does not reach %s (S26)', async (host) => {
    const { port, requests } = await startServer(serve('inside'))
    const failure = failureIn(await fetcherFor(HOSTS)(`http://${host}:${port}/`, { from: PUBLIC }))
    expect(failure.code).toBe('INVALID_TARGET')
    expect(failure.system).toContain('The public page https://public.test/ may not lead to')
    // Whoever reads this may be a model that the page has just told to go there.
    expect(failure.hints).toEqual(['What a server answers must not decide this: ask the person you work for'])
    expect(requests).toHaveLength(0)
  })

  it('of a public page reaches other public pages', async () => {
    const { port } = await startServer(serve('outside'))
    const page = pageIn(await fetcherFor(HOSTS)(`http://other.test:${port}/`, { from: PUBLIC }))
    expect(page.origin.reach).toBe('public')
  })

  it('of a page on this machine reaches its own origin and the web, but no other port or host (S26)', async () => {
    const [own, other] = [await startServer(serve('own')), await startServer(serve('other'))]
    const fetchPage = fetcherFor(HOSTS)
    const { origin: from } = pageIn(await fetchPage(`${own.origin}/a`, { from: null }))
    expect(pageIn(await fetchPage(`${own.origin}/b`, { from })).text).toBe('own')
    expect(pageIn(await fetchPage(`http://public.test:${other.port}/`, { from })).text).toBe('other')
    for (const url of [`${other.origin}/`, `http://localhost:${own.port}/`, `http://home.test:${own.port}/`]) {
      const failure = failureIn(await fetchPage(url, { from }))
      expect(failure.code).toBe('INVALID_TARGET')
      expect(failure.system).toContain('its own origin only')
    }
    expect(other.requests).toHaveLength(1)
  })

  it('of a page in a private network does not reach its own name once that means this machine (S26)', async () => {
    const fetchPage = fetcherFor({ 'home.test': ['127.0.0.1'] })
    expect(failureIn(await fetchPage('http://home.test/', { from: HOUSE })).code).toBe('INVALID_TARGET')
  })
})

describe('a host name', () => {
  it('is what a secure connection asks for, although the address is what it goes to (S26)', async () => {
    const names: string[] = []
    const server = createServer({
      SNICallback: (name, callback) => {
        names.push(name)
        callback(new Error('no certificate'))
      },
    })
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const failure = failureIn(await fetcherFor(HOSTS)(`https://public.test:${port}/`, { from: null }))
    expect(failure.code).toBe('LOAD_ERROR')
    expect(names).toEqual(['public.test'])
  })

  it('is looked up once: the address that was checked is the one that is used (S26)', async () => {
    const { port } = await startServer(serve('first'))
    const answers = [['203.0.113.5'], ['127.0.0.1']]
    const connected: string[] = []
    const fetchPage = fetcherFor(HOSTS, {
      resolve: async () => answers.shift() ?? [],
      connectTo: (address) => {
        connected.push(address)
        return '127.0.0.1'
      },
    })
    pageIn(await fetchPage(`http://rebind.test:${port}/`, { from: PUBLIC }))
    expect(connected).toEqual(['203.0.113.5'])
    expect(answers).toHaveLength(1)
  })
})
