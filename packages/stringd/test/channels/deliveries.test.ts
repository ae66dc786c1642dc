import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '@string-os/protocol'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { type Channels, createChannels } from '../../src/channels/channels.ts'
import { createLog } from '../../src/log.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { startServer } from '../web/page-server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Fixture {
  readonly store: Store
  readonly channels: Channels
  readonly send: (text: string, target?: string) => Promise<Result>
  readonly list: () => ReturnType<Channels['list']>
  /** Sets the clock and lets everything happen that is due. */
  readonly at: (ms: number) => Promise<void>
  /** Waits of the timer that were asked for. */
  readonly waits: number[]
  readonly log: string[]
  readonly configure: (text: string) => void
  /** Nothing can be written until what this answers is called. */
  readonly block: () => () => void
  /** The same folder under another daemon, as after a kill. */
  readonly again: () => Promise<Fixture>
}

const START = Date.parse('2026-03-19T05:30:00Z')

function fixture(dir = tempDir()): Fixture {
  const home = join(dir, 'home')
  mkdirSync(join(home, '.string'), { recursive: true })
  const log: string[] = []
  const waits: number[] = []
  let now = START
  const store = openSqlite(join(dir, 'state.db'), { log: createLog((line) => log.push(line)), now: () => now })
  const agent = { id: 'default', home, allowedPaths: [], createdAt: '' }
  const channels = createChannels({
    dataDir: dir,
    store,
    holder: 'h',
    inbox: { append: () => Promise.reject(new Error('No agent is written to')) },
    agent: (id) => (id === 'default' ? agent : undefined),
    environment: () => ({ SECRET: 's3cret' }),
    log: createLog((line) => log.push(line)),
    now: () => now,
    wait: (ms) => {
      waits.push(ms)
      return () => undefined
    },
  })
  let open = true
  const close = async (): Promise<void> => {
    if (open) await channels.deliveries.stop()
    if (open) await store.close()
    open = false
  }
  onTestFinished(close)
  return {
    store,
    channels,
    waits,
    log,
    send: (text, target = 'team') => channels.deliver({ agent, channel: 'hook', target, text, hops: 0 }),
    list: () => channels.list('default'),
    at: async (ms) => {
      now = START + ms
      await channels.deliveries.runDue()
    },
    configure: (text) => writeFileSync(join(home, '.string/channels.yaml'), text),
    block: () => {
      const path = join(dir, 'state.db')
      rmSync(path)
      mkdirSync(path)
      return () => rmdirSync(path)
    },
    again: async () => {
      await store.close()
      open = false
      return fixture(dir)
    },
  }
}

interface Receiver {
  readonly keys: unknown[]
  status: number
  readonly yaml: string
}

async function receiver(): Promise<Receiver> {
  const keys: unknown[] = []
  const { origin } = await startServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    request.resume().on('end', () => response.writeHead(state.status).end())
  })
  const state = { keys, status: 200, yaml: `hook: { type: webhook, targets: { team: "${origin}/\u0024{SECRET}" } }` }
  return state
}

describe('a delivery', () => {
  it('that is taken at once is sent', async () => {
    const { send, list, configure, waits } = fixture()
    const { yaml, keys } = await receiver()
    configure(yaml)
    expect(await send('Hello')).toMatchObject({ ok: true, system: 'sent to team' })
    expect(keys).toHaveLength(1)
    expect(await list()).toMatchObject([
      { channel: 'hook', target: 'team', state: 'sent', tries: 1, nextAt: null, reason: null },
    ])
    expect(waits).toEqual([])
  })

  it('that cannot be taken now is queued, and tried at 1, 5, 30 min, 2 and 8 h with one key, and given up after 24 h', async () => {
    const { send, list, configure, at, waits, log } = fixture()
    const target = await receiver()
    target.status = 503
    configure(target.yaml)
    expect(await send('Hello')).toMatchObject({ ok: true, system: 'queued for team: status 503, next try in 1 min' })
    expect(waits.at(-1)).toBe(MINUTE)
    const tries: number[] = []
    for (const ms of [30_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 7 * HOUR, 8 * HOUR, 12 * HOUR]) {
      const before = target.keys.length
      await at(ms)
      if (target.keys.length > before) tries.push(ms)
    }
    expect(tries).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR])
    expect(new Set(target.keys).size).toBe(1)
    expect(await list()).toMatchObject([{ state: 'waiting', tries: 6 }])
    await at(24 * HOUR)
    expect(target.keys).toHaveLength(6)
    expect(await list()).toMatchObject([{ state: 'failed', reason: 'given up after 24 h: status 503', nextAt: null }])
    expect(log.join('')).toContain('A delivery failed')
    expect(log.join('')).not.toMatch(/Hello|s3cret/)
  })

  it('that is taken at a later try is sent', async () => {
    const { send, list, configure, at } = fixture()
    const target = await receiver()
    target.status = 429
    configure(target.yaml)
    await send('Hello')
    target.status = 200
    await at(MINUTE)
    expect(await list()).toMatchObject([{ state: 'sent', tries: 2, reason: null }])
    await at(5 * MINUTE)
    expect(target.keys).toHaveLength(2)
  })

  it('that is refused is DELIVERY_FAILED with the reason, and not tried again', async () => {
    const { send, list, configure, at } = fixture()
    const target = await receiver()
    target.status = 410
    configure(target.yaml)
    expect(await send('Hello')).toMatchObject({
      ok: false,
      code: 'DELIVERY_FAILED',
      system: 'hook to team: status 410',
    })
    await at(24 * HOUR)
    expect(target.keys).toHaveLength(1)
    expect(await list()).toMatchObject([{ state: 'failed', reason: 'status 410' }])
  })

  it('whose target a person forbade meanwhile is not tried again; a broken file is waited for', async () => {
    const { send, list, configure, at } = fixture()
    const target = await receiver()
    target.status = 500
    configure(target.yaml)
    await send('Hello')
    configure('hook: [')
    await at(MINUTE)
    expect((await list())[0]).toMatchObject({ state: 'waiting', reason: expect.stringContaining('line 1, column') })
    configure('hook: { type: webhook, targets: {} }')
    await at(5 * MINUTE)
    expect((await list())[0]).toMatchObject({ state: 'failed', reason: 'hook may not send to team' })
    expect(target.keys).toHaveLength(1)
  })

  it('whose agent was deleted is forgotten', async () => {
    const { send, list, configure, at, channels } = fixture()
    const target = await receiver()
    target.status = 500
    configure(target.yaml)
    await send('Hello')
    expect(await channels.deliveries.drop('default')).toBe(1)
    await at(HOUR)
    expect(await list()).toEqual([])
  })

  it('that a killed daemon was trying is tried again by the next one, under the same key', async () => {
    const first = fixture()
    const { origin, requests } = await startServer(() => undefined)
    first.configure(`hook: { type: webhook, targets: { team: "${origin}" } }`)
    const sending = first.send('Hello')
    await expect.poll(() => requests.length).toBe(1)
    const second = await first.again()
    expect(await second.list()).toMatchObject([{ state: 'trying', tries: 0 }])
    const target = await receiver()
    second.configure(target.yaml)
    await second.channels.deliveries.start()
    expect(second.waits).toEqual([0])
    await second.at(0)
    expect(target.keys).toEqual([requests[0]?.headers['idempotency-key']])
    expect(await second.list()).toMatchObject([{ state: 'sent' }])
    // What is left of the first daemon writes nothing any more.
    requests[0]?.socket.destroy()
    expect(await sending).toMatchObject({ ok: false, code: 'DELIVERY_FAILED' })
    expect(await second.list()).toMatchObject([{ state: 'sent' }])
  })

  it('that is due while nothing can be written is looked at again later, not over and over', async () => {
    const { send, at, configure, waits, block } = fixture()
    const hook = await receiver()
    hook.status = 503
    configure(hook.yaml)
    await send('Hello')
    block()
    await at(MINUTE)
    expect(hook.keys).toHaveLength(1)
    expect(waits.at(-1)).toBe(LIMITS.deliveryPollMs)
  })

  it.each([
    [200, 'sent'],
    [503, 'waiting'],
  ] as const)(
    'answered %i when that cannot be stored is %s as soon as it can, and is not repeated',
    async (status, state) => {
      const { send, at, configure, list, waits, block } = fixture()
      let unblock: () => void = () => undefined
      const { origin, requests } = await startServer((request, response) => {
        unblock = block()
        request.resume().on('end', () => response.writeHead(status).end())
      })
      configure(`hook: { type: webhook, targets: { team: "${origin}" } }`)
      expect(await send('Hello')).toMatchObject({ ok: false, code: 'DELIVERY_FAILED' })
      expect(await list()).toMatchObject([{ state: 'trying' }])
      expect(waits.at(-1)).toBe(LIMITS.deliveryPollMs)
      await at(1)
      unblock()
      await at(2)
      expect(await list()).toMatchObject([{ state, tries: 1 }])
      expect(requests).toHaveLength(1)
    },
  )

  it('under way when the daemon stops waits for the next one', async () => {
    const { send, list, configure, channels } = fixture()
    const { origin, requests } = await startServer(() => undefined)
    configure(`hook: { type: webhook, targets: { team: "${origin}" } }`)
    const sending = send('Hello')
    await expect.poll(() => requests.length).toBe(1)
    await channels.deliveries.stop()
    expect(await sending).toMatchObject({ ok: true, system: 'queued for team: the daemon stopped, next try in 1 min' })
    expect(await list()).toMatchObject([{ state: 'waiting' }])
    expect(await send('Late')).toMatchObject({ ok: false, code: 'CANCELLED' })
  })

  it('to a server that does not answer is queued after 10 s', async () => {
    const { send, configure } = fixture()
    const { origin, requests } = await startServer(() => undefined)
    configure(`hook: { type: webhook, targets: { team: "${origin}" } }`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const sending = send('Hello')
      await vi.waitUntil(() => requests.length === 1, { interval: 5, timeout: 20_000 })
      vi.advanceTimersByTime(LIMITS.deliveryTryMs)
      const system = 'queued for team: the server did not answer in time, next try in 1 min'
      expect(await sending).toMatchObject({ ok: true, system })
    } finally {
      vi.useRealTimers()
    }
  })

  it('that cannot be stored is not sent', async () => {
    const { send, configure, store, log } = fixture()
    const target = await receiver()
    configure(target.yaml)
    const other = new Connection(store.where)
    other.exec('DROP TABLE deliveries')
    other.close()
    expect(await send('Hello')).toMatchObject({ ok: false, code: 'DELIVERY_FAILED' })
    expect(target.keys).toEqual([])
    expect(log.join('')).toContain('A message could not be stored')
  })

  it('is one of at most so many that wait', async () => {
    const { send, configure, list, store } = fixture()
    configure((await receiver()).yaml)
    const row = {
      agentId: 'default',
      channel: 'hook',
      target: 'team',
      text: 'x',
      createdAt: new Date(START).toISOString(),
    }
    await store.transaction(async ({ deliveries }) => {
      for (let index = 0; index < LIMITS.deliveriesWaiting; index += 1)
        await deliveries.add({ ...row, id: `dlv_${index}` }, 'h')
    })
    expect(await send('x')).toMatchObject({ ok: false, code: 'LIMIT_REACHED' })
    expect(await list()).toHaveLength(LIMITS.listedDeliveries)
  })

  it('that was dealt with long ago is forgotten', async () => {
    const { send, list, configure, at, channels } = fixture()
    const target = await receiver()
    configure(target.yaml)
    await send('Hello')
    await channels.deliveries.prune()
    expect(await list()).toHaveLength(1)
    await at(31 * 24 * HOUR)
    await channels.deliveries.prune()
    expect(await list()).toEqual([])
  })

  it('too large to be sent is not stored', async () => {
    const { send, list, configure } = fixture()
    configure((await receiver()).yaml)
    expect(await send('x'.repeat(LIMITS.deliveryBytes + 1))).toMatchObject({ ok: false, code: 'TOO_LARGE' })
    expect(await list()).toEqual([])
  })

  it('keeps a text with NUL and half characters', async () => {
    const { send, list, configure } = fixture()
    configure((await receiver()).yaml)
    expect(await send('a\0b \ud835')).toMatchObject({ ok: true })
    expect(await list()).toMatchObject([{ state: 'sent' }])
  })
})
