import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasPostgres, PASSWORD, postgresServer } from '../../../../../test/support/postgres.ts'
import { tryAlone } from '../../../src/store/postgres/alone.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventFor, openAt } from './opened.ts'

/** The reads and writes of a store, one of each kind. */
const QUESTIONS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  append: (store) => store.events.append(eventFor('ann', 'x')),
  byId: (store) => store.events.byId('ann', 'evt_x'),
  newest: (store) => store.events.newest('ann', true, 9),
  counts: (store) => store.events.counts('ann'),
  ack: (store) => store.events.ack('ann', ['evt_x'], ''),
  lastEventId: (store) => store.agents.lastEventId('ann'),
  mark: (store) => store.marks.get('x'),
  claim: (store) => store.deliveries.claim('me', '', 1),
  transaction: (store) => store.transaction(({ marks }) => marks.put('x', 'y')),
}

/** What each question was answered; all of them at the same time. */
async function askAll(store: Store): Promise<unknown[]> {
  const settled = await Promise.allSettled(Object.values(QUESTIONS).map((ask) => ask(store)))
  return settled.map((each) => (each.status === 'rejected' ? each.reason : each.value))
}

const AWAY = Object.keys(QUESTIONS).map(() => expect.objectContaining({ name: 'StoreAway' }))

describe.skipIf(!hasPostgres)('P5: a PostgreSQL that is away', () => {
  const server = postgresServer()

  it('is waited for a little, and then told at once with the reason and since when', async () => {
    const { store, lines } = await openAt(server.tcpUrl(await server.database()))
    await store.events.append(eventFor('ann', 'before'))
    await server.stop('fast')
    await expect.poll(() => store.state().ok).toBe(false)
    const state = store.state()
    expect(await askAll(store)).toEqual(AWAY)
    const started = performance.now()
    expect(await askAll(store)).toEqual(AWAY)
    expect(performance.now() - started).toBeLessThan(LIMITS.storeGraceMs)
    expect(store.state()).toEqual({ ...state, reason: 'the connection was refused' })
    await server.start()
    await expect.poll(() => store.state().ok).toBe(true)
    expect(await store.events.after('ann', '', 9)).toHaveLength(1)
    await store.events.append(eventFor('ann', 'after'))
    const told = lines.map((line) => (JSON.parse(line) as { message: string }).message)
    expect(told).toEqual(
      ['fsync', 'The store is there', 'The store is away', 'The store is there'].map((text) =>
        expect.stringContaining(text),
      ),
    )
    expect(lines.join()).not.toContain(PASSWORD)
  })

  it('is not noticed by callers when it is back within the grace', async () => {
    const { store } = await openAt(server.url(await server.database()))
    await server.stop('fast')
    await expect.poll(() => store.state().ok).toBe(false)
    const asked = askAll(store)
    await server.start()
    for (const answer of await asked) expect(answer).not.toBeInstanceOf(Error)
  })

  it('that stands still is told within the time for an answer, and is found again', async () => {
    const { store } = await openAt(server.url(await server.database()))
    await askAll(store)
    const thaw = server.freeze()
    const append = store.events.append(eventFor('ann', 'frozen'))
    const written = expect(append).rejects.toMatchObject({ name: 'StoreAway', isDoubtful: true })
    await setTimeout(10)
    const started = performance.now()
    const answers = await askAll(store)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(answers).toEqual(AWAY)
    await written
    expect(store.state()).toMatchObject({ ok: false })
    thaw()
    await expect.poll(() => store.state().ok).toBe(true)
    for (const answer of await askAll(store)) expect(answer).not.toBeInstanceOf(Error)
  })

  it('that takes connections and never says anything is away, and is told in time', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const started = performance.now()
    const { store, fatal } = await openAt(`postgres://ann:s3cret@127.0.0.1:${port}/work`)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(await askAll(store)).toEqual(AWAY)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(store.state()).toMatchObject({ ok: false })
    expect(fatal).toEqual([])
    const asked = performance.now()
    await askAll(store)
    expect(performance.now() - asked).toBeLessThan(5_000)
  })

  it('says of a write whose answer was lost that it may be stored, and with its key a repeat is the same event', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    await store.events.append(eventFor('ann', 'first'))
    // Whoever holds the agent keeps the append waiting until its connection is cut.
    const holding = server.sql('BEGIN; SELECT 1 FROM string.agents FOR UPDATE; SELECT pg_sleep(1); COMMIT', database)
    await expect.poll(() => server.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).toHaveLength(1)
    const appended = store.events.append(eventFor('ann', 'x', 'k1'))
    const waits = "wait_event_type = 'Lock' AND application_name = 'stringd'"
    await Promise.all([
      expect(appended).rejects.toMatchObject({ name: 'StoreAway', isDoubtful: true }),
      expect.poll(() => server.cut(database, waits)).toBe(1),
    ])
    await holding
    const again = await store.events.append(eventFor('ann', 'x', 'k1'))
    expect(await store.events.append(eventFor('ann', 'x', 'k1'))).toEqual({ id: again.id, event: null })
    expect(await store.events.after('ann', '', 9)).toHaveLength(2)
  })

  it('tells of a statement that waits too long, without being away', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    await store.marks.put('x', '1')
    const holding = server.sql('BEGIN; LOCK TABLE string.marks; SELECT pg_sleep(6); COMMIT', database)
    await expect
      .poll(() => server.sql("SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock'", database))
      .toHaveLength(1)
    await expect(store.marks.put('x', '2')).rejects.toMatchObject({
      message: 'the database took too long',
      isDoubtful: false,
    })
    expect(store.state()).toEqual({ ok: true })
    await holding
    expect(await store.marks.get('x')).toBe('1')
  })

  it('runs a transaction again that the server gave up for another', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    await Promise.all(['a', 'b'].map((name) => store.marks.put(name, '0')))
    let runs = 0
    const crossing = (first: string, second: string): Promise<void> =>
      store.transaction(async ({ marks }) => {
        runs += 1
        await marks.put(first, '1')
        await setTimeout(100)
        await marks.put(second, '1')
      })
    await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
    expect(runs).toBeGreaterThan(2)
    expect(await store.marks.get('a')).toBe('1')
  })

  it('has its transaction undone that a caller went on with after a failure', async () => {
    const { store } = await openAt(server.url(await server.database()))
    const change = store.transaction(async ({ marks, events }) => {
      await marks.put('x', '1')
      await events.append({ ...eventFor('ann', 'x'), source: 'nul \0' }).catch(() => undefined)
    })
    await expect(change).rejects.toThrow()
    expect(await store.marks.get('x')).toBeNull()
  })

  it('ends a transaction that its caller never ends', async () => {
    const { store } = await openAt(server.url(await server.database()))
    const change = store.transaction(async ({ marks }) => {
      await marks.put('x', '1')
      await new Promise(() => undefined)
    })
    await expect(change).rejects.toMatchObject({ name: 'StoreAway' })
    expect(await store.marks.get('x')).toBeNull()
  })

  it('lets one wrong event fail alone', async () => {
    const { store } = await openAt(server.url(await server.database()))
    const given = ['1', '2', '3'].map((text) => ({
      ...eventFor('ann', text),
      source: text === '2' ? 'nul \0' : 'fine',
    }))
    const settled = await Promise.allSettled(given.map((each) => store.events.append(each)))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await store.events.after('ann', '', 9)).toHaveLength(2)
  })

  it('is used by nobody while somebody has it alone, and by nobody alone while it is used', async () => {
    const url = server.url(await server.database())
    const { store } = await openAt(url)
    await expect(tryAlone(url)).rejects.toThrow('a daemon uses it')
    await store.close()
    const alone = await tryAlone(url)
    const waiting = await openAt(url)
    expect(waiting.store.state()).toMatchObject({ ok: false, reason: 'string store copy runs' })
    await alone.end()
    await expect.poll(() => waiting.store.state()).toEqual({ ok: true })
  })
})
