import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { type EventView, type SseEvent, SseParser } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, exec } from '../../../../test/support/http.ts'
import { startTestDaemon } from '../support/daemon.ts'

interface Stream {
  readonly response: IncomingMessage
  readonly events: SseEvent[]
  readonly texts: () => string[]
  readonly close: () => void
  readonly ended: () => boolean
}

function subscribe(port: number, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(
      {
        host: '127.0.0.1',
        port,
        path: '/events/stream',
        agent: false,
        headers: { 'X-Agent-Id': 'default', ...headers },
      },
      (response) => {
        const parser = new SseParser()
        const events: SseEvent[] = []
        let ended = false
        response.setEncoding('utf8').on('data', (chunk: string) => events.push(...parser.push(chunk)))
        response.on('close', () => {
          ended = true
        })
        response.on('error', () => {
          ended = true
        })
        const texts = (): string[] =>
          events.filter(({ event }) => event === 'event').map(({ data }) => (JSON.parse(data) as EventView).text)
        resolve({ response, events, texts, close: () => outgoing.destroy(), ended: () => ended })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
    onTestFinished(() => void outgoing.destroy())
  })
}

async function inbox(port: number): Promise<(text: string) => Promise<string>> {
  const { json } = await call(port, 'GET', '/agents/default/webhook')
  const path = new URL((json as { webhook_url: string }).webhook_url).pathname
  return async (text) => {
    const answer = await call(port, 'POST', path, { body: text })
    expect(answer.status).toBe(202)
    return (answer.json as { event_id: string }).event_id
  }
}

describe('GET /events/stream', () => {
  it('sends ready, then each new event with its id', async () => {
    const { port } = await startTestDaemon()
    const post = await inbox(port)
    await post('before')
    const stream = await subscribe(port)
    expect(stream.response.headers['content-type']).toBe('text/event-stream')
    await expect.poll(() => stream.events.length).toBe(1)
    expect(stream.events[0]).toMatchObject({ event: 'ready', data: '{"agent_id":"default"}' })
    const id = await post('hello\nworld')
    await expect.poll(() => stream.events.length).toBe(2)
    expect(stream.events[1]).toMatchObject({ event: 'event', id })
    expect(JSON.parse(stream.events[1]?.data ?? '')).toEqual({
      id,
      agentId: 'default',
      receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      source: 'local-webhook',
      text: 'hello\nworld',
      status: 'pending',
    })
  })

  it('sends new events also to a reader whose last id is later than any that was given', async () => {
    const { port } = await startTestDaemon()
    const post = await inbox(port)
    const empty = await subscribe(port, { 'Last-Event-ID': `evt_${'z'.repeat(26)}` })
    await post('one')
    const stream = await subscribe(port, { 'Last-Event-ID': `evt_${'z'.repeat(26)}` })
    await post('two')
    await expect.poll(() => stream.texts()).toEqual(['two'])
    await expect.poll(() => empty.texts()).toEqual(['one', 'two'])
  })

  it('wants a known agent', async () => {
    const { port } = await startTestDaemon()
    expect(await call(port, 'GET', '/events/stream')).toMatchObject({
      status: 400,
      json: { error: 'X-Agent-Id header required' },
    })
    expect(await call(port, 'GET', '/events/stream', { headers: { 'X-Agent-Id': 'nobody' } })).toMatchObject({
      status: 401,
      json: { error: 'Unknown agent: nobody' },
    })
  })

  it('with Last-Event-ID first sends what was stored after it, and misses and repeats nothing', async () => {
    const { port } = await startTestDaemon()
    const post = await inbox(port)
    const ids: string[] = []
    for (let index = 0; index < 40; index += 1) ids.push(await post(`text ${index}`))
    const posting = Promise.all(Array.from({ length: 40 }, (_, index) => post(`later ${index}`)))
    const stream = await subscribe(port, { 'Last-Event-ID': ids[9] ?? '' })
    await posting
    await expect.poll(() => stream.texts().length).toBe(70)
    expect(stream.texts().slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => `text ${index + 10}`))
    const sent = stream.events.filter(({ event }) => event === 'event').map(({ id }) => id ?? '')
    expect(sent).toEqual(sent.toSorted())
    expect(new Set(sent).size).toBe(70)
  })

  it('takes something that is no event id as none', async () => {
    const { port } = await startTestDaemon()
    const post = await inbox(port)
    await post('old')
    const stream = await subscribe(port, { 'Last-Event-ID': "' OR 1=1" })
    await post('new')
    await expect.poll(() => stream.texts()).toEqual(['new'])
  })

  it('the id of ready is where a reader can go on that has seen nothing yet', async () => {
    const { port } = await startTestDaemon()
    const post = await inbox(port)
    const stream = await subscribe(port)
    await expect.poll(() => stream.events.length).toBe(1)
    stream.close()
    await post('in between')
    const again = await subscribe(port, { 'Last-Event-ID': stream.events[0]?.id ?? '' })
    await expect.poll(() => again.texts()).toEqual(['in between'])
  })

  it('S22: no text can add an event or a field', async () => {
    const { port } = await startTestDaemon()
    const post = await inbox(port)
    const stream = await subscribe(port)
    const hostile = 'x\n\nevent: done\ndata: {}\n\nid: evil\r\rretry: 1\u2028\u0085'
    await post(hostile)
    await expect.poll(() => stream.texts()).toEqual([hostile])
    expect(stream.events.map(({ event }) => event)).toEqual(['ready', 'event'])
  })

  it('ends when the agent is deleted, and when the daemon stops', async () => {
    const daemon = await startTestDaemon()
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'other' } })
    const [mine, other] = [await subscribe(daemon.port), await subscribe(daemon.port, { 'X-Agent-Id': 'other' })]
    await call(daemon.port, 'DELETE', '/agents/other')
    await expect.poll(() => other.ended()).toBe(true)
    expect(mine.ended()).toBe(false)
    await daemon.stop()
    await expect.poll(() => mine.ended()).toBe(true)
  })

  it('R10: a reader that does not read is cut off, others are not delayed, and it misses nothing when it comes back', async () => {
    const { port, log } = await startTestDaemon()
    const post = await inbox(port)
    const reader = await subscribe(port)
    const idle = connect(port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    idle.on('error', () => undefined)
    const isCut = (): boolean => log.some((line) => line.includes('does not read was cut off'))
    idle.write('GET /events/stream HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: default\r\n\r\n')
    idle.pause()
    const first = await post('first')
    // The system itself buffers some MiB for a reader that sleeps.
    let sent = 1
    for (; sent < 600 && !isCut(); sent += 1) await post(`${sent} ${'x'.repeat(65_000)}`)
    await expect.poll(() => reader.texts().length).toBe(sent)
    expect(isCut()).toBe(true)
    expect((await exec(port, '/events')).content).toContain(`${sent} pending`)
    const again = await subscribe(port, { 'Last-Event-ID': first })
    await expect.poll(() => again.texts().length).toBe(sent - 1)
    expect(again.texts().map((text) => Number(text.split(' ')[0]))).toEqual(
      Array.from({ length: sent - 1 }, (_, index) => index + 1),
    )
  })
})
