import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { startForeground } from '../support/foreground.ts'
import { call } from '../support/http.ts'

const REQUEST = 'GET /events/stream HTTP/1.1\r\nHost: localhost\r\nX-Agent-Id: default\r\n\r\n'

interface Subscriber {
  readonly socket: Socket
  readonly ids: string[]
  ready: boolean
}

/** Everyone gets everything once and in order, at a bounded price; one that does not read is nobody's burden. */
export async function manySubscribers({ subscribers, events }: { subscribers: number; events: number }): Promise<void> {
  const daemon = await startForeground()
  const { port } = daemon
  await call(port, 'POST', '/agents', { body: { agent_id: 'default' } })
  const { json } = await call(port, 'GET', '/agents/default/webhook')
  const { pathname } = new URL((json as { webhook_url: string }).webhook_url)
  const before = usage(daemon.child.pid ?? 0)
  const all = await Promise.all(Array.from({ length: subscribers }, () => subscribe(port)))
  const sleepers = Array.from({ length: 5 }, () => connect(port, '127.0.0.1').pause())
  for (const sleeper of sleepers) sleeper.write(REQUEST)
  await expect.poll(() => all.every(({ ready }) => ready), { timeout: 60_000 }).toBe(true)
  const during = usage(daemon.child.pid ?? 0)
  if (before !== null && during !== null) {
    expect((during.rssBytes - before.rssBytes) / subscribers).toBeLessThan(150_000)
  }
  const ids: string[] = []
  for (let index = 0; index < events; index += 1) {
    const { json: answer } = await call(port, 'POST', pathname, { body: `${index} ${'x'.repeat(500)}` })
    ids.push((answer as { event_id: string }).event_id)
  }
  await expect.poll(() => all.every((subscriber) => subscriber.ids.length >= events), { timeout: 60_000 }).toBe(true)
  for (const subscriber of all) expect(subscriber.ids).toEqual(ids)
  for (const { socket } of all) socket.destroy()
  for (const sleeper of sleepers) sleeper.destroy()
  if (before !== null) {
    await expect
      .poll(() => usage(daemon.child.pid ?? 0)?.descriptors ?? 0, { timeout: 30_000 })
      .toBeLessThanOrEqual(before.descriptors + 2)
  }
  expect((await call(port, 'GET', '/health')).status).toBe(200)
  daemon.child.kill('SIGTERM')
  expect(await daemon.exited).toBe(0)
}

function subscribe(port: number): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const subscriber: Subscriber = { socket, ids: [], ready: false }
    let rest = ''
    let id = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('id: ')) id = line.slice(4)
        if (line === 'event: ready') subscriber.ready = true
        if (line === 'event: event') subscriber.ids.push(id)
      }
    })
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.write(REQUEST)
      resolve(subscriber)
    })
  })
}

/** What the daemon uses now; null where the system does not tell. */
function usage(pid: number): { rssBytes: number; descriptors: number } | null {
  if (!existsSync(`/proc/${pid}/fd`)) return null
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { rssBytes: Number(kibibytes) * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}
