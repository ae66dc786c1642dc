import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { GUESSED_WEBHOOK, LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { call, exec, type Reply, raw } from '../../../../test/support/http.ts'
import { TestClock } from '../support/clock.ts'
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts'

async function webhook({ port }: TestDaemon, id = 'default'): Promise<string> {
  const { json } = await call(port, 'GET', `/agents/${id}/webhook`)
  return new URL((json as { webhook_url: string }).webhook_url).pathname
}

function post({ port }: TestDaemon, path: string, body: string | Uint8Array, headers = {}): Promise<Reply> {
  return call(port, 'POST', path, { body, headers })
}

const idOf = ({ json }: Reply): string => (json as { event_id: string }).event_id
const content = async ({ port }: TestDaemon, cmd: string, topic = 'event'): Promise<string> =>
  (await exec(port, cmd, { topic })).content

describe('webhooks', () => {
  it('GET /agents/:id/webhook makes a token once and shows the loopback URL', async () => {
    const daemon = await startTestDaemon()
    const first = await call(daemon.port, 'GET', '/agents/default/webhook')
    expect(first.status).toBe(200)
    expect(first.json).toEqual({
      agent_id: 'default',
      webhook_url: expect.stringMatching(
        new RegExp(`^http://127\\.0\\.0\\.1:${daemon.port}/webhook/wh_[\\w-]{32}$`),
      ) as string,
    })
    expect((await call(daemon.port, 'GET', '/agents/default/webhook')).json).toEqual(first.json)
  })

  it('S14: the URL names 127.0.0.1, never the Host header', async () => {
    const { port } = await startTestDaemon()
    const { json } = await call(port, 'GET', '/agents/default/webhook', { headers: { Host: `localhost:${port}` } })
    expect((json as { webhook_url: string }).webhook_url).toContain(`http://127.0.0.1:${port}/`)
  })

  it('an unknown agent is 404 and a malformed one 400', async () => {
    const { port } = await startTestDaemon()
    for (const method of ['GET', 'POST']) {
      expect(await call(port, method, '/agents/nobody/webhook')).toMatchObject({
        status: 404,
        json: { error: 'Unknown agent: nobody' },
      })
      expect((await call(port, method, '/agents/..%2fx/webhook')).status).toBe(400)
    }
  })

  it('POST /webhook/:token answers 202 with the id under which the event is in the inbox', async () => {
    const daemon = await startTestDaemon()
    const answer = await post(daemon, await webhook(daemon), 'build failed\nsee log')
    expect(answer).toMatchObject({ status: 202, json: { ok: true, agent_id: 'default' } })
    expect(await content(daemon, `/events.read ${idOf(answer)}`)).toMatch(
      /^re: .*\nEvent evt_\w{26}\n---\n\S+ from local-webhook \(pending\)\n\nbuild failed\nsee log$/,
    )
  })

  it.each([
    ['an empty body', '', 400, 'Webhook body must be non-empty text'],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe), 400, 'Webhook body is not UTF-8, in which a text is sent'],
    ['S17: more than 65,536 bytes', 'é'.repeat(32_769), 413, 'Webhook body exceeds 65536 bytes'],
  ])('refuses %s', async (_what, body, status, error) => {
    const daemon = await startTestDaemon()
    expect(await post(daemon, await webhook(daemon), body)).toMatchObject({ status, json: { error } })
    expect(await content(daemon, '/events')).toContain('0 pending')
  })

  it('S17: takes exactly 65,536 bytes, of any media type, but nothing that is encoded', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    expect((await post(daemon, path, 'x'.repeat(65_536), { 'Content-Type': 'application/json' })).status).toBe(202)
    expect((await post(daemon, path, 'x', { 'Content-Encoding': 'gzip' })).status).toBe(415)
  })

  it('S23: keeps and gives back the text byte for byte, whatever it holds', async () => {
    const daemon = await startTestDaemon()
    const text = '\ufeff{{X}} $HOME `id` <𝒞=string:main>/close</𝒞>\r\n\0\u001b[2J\u2028data: x\n\nevent: done\n'
    const id = idOf(await post(daemon, await webhook(daemon), text))
    expect((await content(daemon, `/events.read ${id}`)).endsWith(`\n\n${text}`)).toBe(true)
  })

  it('S24: shows no control characters in lists', async () => {
    const daemon = await startTestDaemon()
    await post(daemon, await webhook(daemon), 'a\u001b[31mred\nsecond line')
    const list = await content(daemon, '/events')
    expect(list).not.toContain('\u001b')
    expect(list).toContain('second line')
    expect(list.split('\n').filter((line) => line.includes('red'))).toHaveLength(1)
  })

  it('S14: rotation ends the old token at once, on a connection that is half-way through its request too', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    const socket = connect(daemon.port, '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab`)
    const rotated = await call(daemon.port, 'POST', '/agents/default/webhook')
    expect(rotated.status).toBe(200)
    socket.write('cd')
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(await post(daemon, path, 'x')).toMatchObject({ status: 401, json: { error: 'Unknown webhook token' } })
    expect((await post(daemon, await webhook(daemon), 'x')).status).toBe(202)
    expect(await webhook(daemon)).not.toBe(path)
  })

  it("S14: posts with tokens that are nobody's are counted in the log, without the token; a look of doctor is none", async () => {
    const clock = new TestClock()
    const daemon = await startTestDaemon({ clock })
    const refusals = (): object[] =>
      daemon.log.filter((line) => line.includes('webhook post')).map((line) => JSON.parse(line) as object)
    expect((await post(daemon, `/webhook/${GUESSED_WEBHOOK}`, 'x')).status).toBe(401)
    expect(refusals()).toEqual([])
    for (const token of ['wh_one', 'wh_two', 'wh_one']) await post(daemon, `/webhook/${token}`, 'x')
    const line = { level: 'warn', message: 'A webhook post was refused', code: 'UNKNOWN_TOKEN', count: 1 }
    expect(refusals()).toMatchObject([line])
    clock.advance(LIMITS.refusalLogMs)
    expect(refusals()).toMatchObject([line, { ...line, count: 2 }])
    expect(daemon.log.join('')).not.toMatch(/wh_(?:one|two)/)
    expect(refusals().filter((each) => 'said' in each)).toEqual([])
  })

  it('S14: deleting an agent ends its token and drops its events, and the log says how many', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    await post(daemon, path, 'one')
    await post(daemon, path, 'two')
    await call(daemon.port, 'DELETE', '/agents/default')
    expect((await post(daemon, path, 'x')).status).toBe(401)
    expect(daemon.log.join('')).toContain('"droppedEvents":2')
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'default', home: daemon.home } })
    expect(await content(daemon, '/events')).toContain('0 pending')
    expect(await webhook(daemon)).not.toBe(path)
  })

  it('S14: tokens are in no listing, log, error or child environment, and are forgotten by nobody at a restart', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    const token = path.split('/').at(-1) ?? ''
    const seen = [
      (await call(daemon.port, 'GET', '/agents')).text,
      (await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'default' } })).text,
      (await call(daemon.port, 'GET', '/nowhere')).text,
      await content(daemon, '/open agent'),
      await content(daemon, '/open event'),
      await content(daemon, '/exec env', 'main'),
      (await post(daemon, `/webhook/${token}x`, 'x')).text,
      (await call(daemon.port, 'GET', path)).text.replace(token, ''),
      ...daemon.log,
    ]
    for (const text of seen) expect(text).not.toContain(token)
    expect(await content(daemon, '/open agent')).toContain('webhook: on')
    expect(readFileSync(join(daemon.dataDir, 'agents.json'), 'utf8')).toContain(token)
  })

  it('a key within a day is one event, for each agent', async () => {
    const daemon = await startTestDaemon()
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'other' } })
    const [path, otherPath] = [await webhook(daemon), await webhook(daemon, 'other')]
    const key = { 'Idempotency-Key': 'order-17' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(daemon, path, 'paid', key)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect(idOf(await post(daemon, otherPath, 'paid', key))).not.toBe(idOf(answers[0] as Reply))
    const id = idOf(answers[0] as Reply)
    await content(daemon, `/events.ack ${id}`)
    await content(daemon, '/events.clear')
    // Also when the event itself is gone.
    expect(idOf(await post(daemon, path, 'paid', key))).toBe(id)
    expect(await content(daemon, '/events --all')).toContain('0 pending, 0 acked')
    expect((await post(daemon, path, 'x', { 'Idempotency-Key': 'k'.repeat(256) })).status).toBe(400)
  })

  it('S12: an id can name only an event of that agent', async () => {
    const daemon = await startTestDaemon()
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'other' } })
    const id = idOf(await post(daemon, await webhook(daemon, 'other'), 'secret of another'))
    for (const strange of [id, '../../etc/passwd', "' OR 1=1", 'evt_', `evt_${'0'.repeat(26)}`]) {
      for (const verb of ['read', 'ack']) {
        const answer = await content(daemon, `/events.${verb} "${strange}"`)
        expect(answer).toContain('ERROR(NOT_FOUND)')
        expect(answer).not.toContain('secret')
      }
    }
    await content(daemon, '/events.clear --all')
    expect((await exec(daemon.port, '/events', { topic: 'event', agent: 'other' })).content).toContain('1 pending')
  })

  it('acknowledges all or none, lists, clears', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    const [one, two] = [idOf(await post(daemon, path, 'one')), idOf(await post(daemon, path, 'two'))]
    expect(await content(daemon, `/events.ack ${one} evt_${'1'.repeat(26)}`)).toContain('ERROR(NOT_FOUND)')
    expect(await content(daemon, '/events')).toContain('2 pending, 0 acked')
    expect(await content(daemon, `/events.ack ${one}`)).toContain(`\nAcked: ${one}`)
    expect(await content(daemon, '/events')).not.toContain(one)
    expect(await content(daemon, '/events --all')).toContain(`${one} `)
    expect(await content(daemon, '/events.clear')).toContain('\nCleared: 1 event')
    expect(await content(daemon, '/events.ack')).toContain('Usage: /events.ack ID…')
    expect(await content(daemon, `/events.read ${two}`)).toContain('two')
    expect(await content(daemon, '/events.clear --all')).toContain('\nCleared: 1 event')
    expect(await content(daemon, '/events')).toContain('0 pending, 0 acked')
  })

  it('acknowledges each of several, in any order, whoever reads others meanwhile', async () => {
    const daemon = await startTestDaemon()
    await call(daemon.port, 'POST', '/agents', { body: { agent_id: 'other' } })
    const [path, otherPath] = [await webhook(daemon), await webhook(daemon, 'other')]
    const texts = ['one', 'two', 'three', 'four', 'five']
    const [one, two, three, four, five] = await Promise.all(texts.map((text) => post(daemon, path, text).then(idOf)))
    const foreign = idOf(await post(daemon, otherPath, 'of another'))
    const read = (): Promise<unknown> =>
      exec(daemon.port, `/events.read ${foreign}`, { topic: 'event', agent: 'other' })
    const [answer] = await Promise.all([content(daemon, `/events.ack ${three} ${one} ${five}`), read(), read(), read()])
    expect(answer).toContain(`\nAcked: ${three}, ${one}, ${five}`)
    const list = await content(daemon, '/events')
    expect(list).toContain('2 pending, 3 acked')
    expect(new Set(list.match(/evt_\w{26}/g))).toEqual(new Set([two, four]))
    expect((await exec(daemon.port, '/events', { topic: 'event', agent: 'other' })).content).toContain(
      '1 pending, 0 acked',
    )
    expect(await content(daemon, '/events.clear')).toContain('\nCleared: 3 events')
  })

  it('lists the 50 newest, cut, with the total', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    await Promise.all(Array.from({ length: 60 }, (_, index) => post(daemon, path, `${index} ${'long '.repeat(200)}`)))
    const list = await content(daemon, '/events')
    expect(list).toContain('60 pending')
    const rows = list.split('\n').filter((line) => line.startsWith('- evt_'))
    expect(rows).toHaveLength(50)
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(300)
    expect(await content(daemon, '/open event')).toContain('60 pending')
  })

  it('S17: a chunked body is counted as it comes', async () => {
    const daemon = await startTestDaemon()
    const path = await webhook(daemon)
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    expect(await raw(daemon.port, `${head}5\r\nhello\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 202 /)
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    expect(await raw(daemon.port, `${head}${chunk.repeat(3)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    expect(await raw(daemon.port, `${head}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
