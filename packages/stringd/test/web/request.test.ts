import { describe, expect, it } from 'vitest'
import { createRequester, type WebRequest } from '../../src/web/request.ts'
import { startService } from '../support/action.ts'

// Names of public hosts, of which every connection goes to the machine itself.
const send = createRequester({
  ownPort: () => 1,
  resolve: async () => ['93.184.216.34'],
  connectTo: () => '127.0.0.1',
})
const base: Omit<WebRequest, 'url' | 'method'> = { headers: [], body: null, from: null, readErrors: true }

describe('a request that is redirected', () => {
  it('takes its headers along within an origin, and to another only what it accepts', async () => {
    const other = await startService()
    const first = await startService((request, response) => {
      const Location = request.url === '/out' ? `http://other.example:${other.port}/there` : '/here'
      response.writeHead(request.url === '/here' ? 200 : 302, { Location })
      response.end()
    })
    const headers = [
      ['Authorization', 'secret'],
      ['X-Key', 'secret'],
      ['Accept', 'text/x'],
    ] as const
    await send({ ...base, method: 'GET', url: `http://first.example:${first.port}/in`, headers })
    expect(first.arrived[1]?.headers).toMatchObject({ authorization: 'secret', 'x-key': 'secret' })
    await send({ ...base, method: 'GET', url: `http://first.example:${first.port}/out`, headers })
    const there = other.arrived[0]?.headers ?? {}
    expect([there.authorization, there['x-key'], there.accept]).toEqual([undefined, undefined, 'text/x'])
  })

  it('is a GET without a body after 303, and the same again after 307 of the same origin', async () => {
    const { origin, arrived } = await startService((request, response) => {
      const [, status] = /^\/(30\d)$/.exec(request.url ?? '') ?? []
      response.writeHead(Number(status ?? 200), { Location: '/end' })
      response.end()
    })
    const body = Buffer.from('data')
    const headers = [['Content-Type', 'text/x']] as const
    for (const status of [303, 307]) await send({ ...base, method: 'POST', url: `${origin}/${status}`, headers, body })
    expect(arrived.map(({ method, path, body: text }) => `${method} ${path} ${text}`)).toEqual([
      'POST /303 data',
      'GET /end ',
      'POST /307 data',
      'POST /end data',
    ])
    expect(arrived[1]?.headers['content-type']).toBeUndefined()
  })

  it('never takes a body to another origin', async () => {
    const other = await startService()
    const first = await startService((_request, response) => {
      response.writeHead(308, { Location: `http://other.example:${other.port}/steal` })
      response.end()
    })
    const url = `http://first.example:${first.port}/x`
    const result = await send({ ...base, method: 'PUT', url, body: Buffer.from('data') })
    expect(result).toMatchObject({ ok: false, code: 'LOAD_ERROR' })
    expect(other.arrived).toEqual([])
  })

  it('answers an error with what the server says, and without it when that is too large', async () => {
    const { origin } = await startService((request, response) => {
      response.writeHead(418, { 'Content-Type': 'text/plain' })
      response.end(request.url === '/large' ? Buffer.alloc(11 * 1024 * 1024, 'x') : 'short')
    })
    expect(await send({ ...base, method: 'GET', url: `${origin}/` })).toMatchObject({
      status: 418,
      page: { text: 'short' },
    })
    expect(await send({ ...base, method: 'GET', url: `${origin}/large` })).toMatchObject({
      status: 418,
      page: { text: '' },
    })
  })
})
