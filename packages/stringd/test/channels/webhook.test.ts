import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import type { Tried } from '../../src/channels/send.ts'
import { webhookSender } from '../../src/channels/webhook.ts'
import { startServer } from '../web/page-server.ts'

const MESSAGE = { id: 'dlv_1', target: 'dev-team', text: 'Hello </𝒞> "quoted"', createdAt: new Date(0) }
const TEMPLATE = { text: '{text}' }

function send(url: string, template: unknown = TEMPLATE, signal = new AbortController().signal): Promise<Tried> {
  const targets = new Map([['dev-team', new URL(url)]])
  return webhookSender({ type: 'webhook', targets, template, secrets: [] })(MESSAGE, signal)
}

const answer =
  (status: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body))
  }

describe('a webhook', () => {
  it('gets JSON with the text and a key that is the same at every try', async () => {
    const bodies: string[] = []
    const { origin, requests } = await startServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(204).end()
      })
    })
    expect(await send(`${origin}/T0/x?y=1`)).toEqual({ kind: 'sent' })
    expect(await send(`${origin}/T0/x?y=1`, { content: '{text}', to: '{target}' })).toEqual({ kind: 'sent' })
    expect(bodies).toEqual([
      JSON.stringify({ text: MESSAGE.text }),
      JSON.stringify({ content: MESSAGE.text, to: 'dev-team' }),
    ])
    expect(requests.map(({ method, url }) => [method, url])).toEqual(Array(2).fill(['POST', '/T0/x?y=1']))
    expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'dlv_1' })
    expect(requests[1]?.headers['idempotency-key']).toBe('dlv_1')
  })

  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [410, 'refused'],
    [408, 'later'],
    [425, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
  ])('that answers %i is %s', async (status, kind) => {
    const { origin } = await startServer(answer(status, 'no\nreason'))
    expect(await send(origin)).toEqual({ kind, reason: `status ${status}, no\\nreason` })
  })

  it('that redirects is not followed', async () => {
    const elsewhere = await startServer(answer(200))
    const { origin } = await startServer(answer(307, '', { Location: elsewhere.origin }))
    expect(await send(origin)).toEqual({ kind: 'refused', reason: 'status 307: redirects are not followed' })
    expect(elsewhere.requests).toHaveLength(0)
  })

  it('whose address is a secret is named in no reason', async () => {
    const { origin } = await startServer((request, response) => {
      request.resume()
      response.writeHead(404).end(`no hook at ${request.url} on http://${request.headers.host}${request.url}`)
    })
    const tried = await send(`${origin}/services/T0/B0/s3cret?key=a%20b`)
    expect(JSON.stringify(tried)).not.toMatch(/s3cret|a%20b/)
    const gone = await send(`http://user:hunter2@127.0.0.1:${await freePort()}/s3cret`)
    expect(gone).toEqual({ kind: 'later', reason: 'the server refused the connection' })
  })

  it('whose answer is cut inside of a secret shows nothing of it', async () => {
    const { origin } = await startServer((request, response) => {
      request.resume()
      response.writeHead(404).write(`${request.url} `.repeat(100).slice(0, 1000))
    })
    for (let length = 20; length < 120; length += 9) {
      const tried = await send(`${origin}/${'s3cret'.repeat(length).slice(0, length)}`)
      expect(JSON.stringify(tried)).not.toContain('s3c')
    }
  })

  it('that never ends its answer has given it', async () => {
    const { origin } = await startServer((request, response) => {
      request.resume()
      response.writeHead(400).write('x'.repeat(100_000))
    })
    expect(await send(origin)).toMatchObject({ kind: 'refused' })
  })

  it('that never answers is given up with the signal', async () => {
    const stop = new AbortController()
    const { origin } = await startServer(() => stop.abort('the daemon stopped'))
    expect(await send(origin, TEMPLATE, stop.signal)).toEqual({ kind: 'later', reason: 'the daemon stopped' })
  })

  it('that breaks off is tried again later', async () => {
    const { origin } = await startServer((request) => void request.socket.destroy())
    expect(await send(origin)).toEqual({ kind: 'later', reason: 'the server ended the connection' })
  })
})
