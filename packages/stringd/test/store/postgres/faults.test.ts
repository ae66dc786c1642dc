import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aMoment } from '../../../../../test/support/moment.ts'
import { hasPostgres, postgresServer } from '../../../../../test/support/postgres.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventFor, openAt } from './opened.ts'

/** What posters do: each event has a key, and one that was not answered is sent again, until it is. */
async function postAll(store: Store, name: string, count: number): Promise<string[]> {
  const ids: string[] = []
  let next = 0
  const poster = async (): Promise<void> => {
    while (next < count) {
      const text = `${name}:${next}`
      next += 1
      ids.push(await postUntilAnswered(store, text))
    }
  }
  await Promise.all(Array.from({ length: 16 }, poster))
  return ids
}

async function postUntilAnswered(store: Store, text: string): Promise<string> {
  for (;;) {
    try {
      return (await store.events.append(eventFor('ann', text, text))).id
    } catch (error) {
      expect(error).toMatchObject({ name: 'StoreAway' })
      await setTimeout(5)
    }
  }
}

describe.skipIf(!hasPostgres)('a PostgreSQL under load', () => {
  const server = postgresServer({ fsync: true })

  const expectAllOnce = async (store: Store, posts: readonly string[]): Promise<void> => {
    const stored: string[] = []
    const texts = new Set<string>()
    for (let page = await store.events.after('ann', '', 500); page.length > 0; ) {
      for (const { id, text } of page) {
        stored.push(id)
        texts.add(text)
      }
      page = await store.events.after('ann', stored.at(-1) ?? '', 500)
    }
    expect(stored).toEqual(posts.toSorted())
    expect(texts.size).toBe(posts.length)
  }

  it('P1: loses and doubles nothing that was answered when it is stopped at once, again and again', async () => {
    const database = await server.database()
    const stores = await Promise.all([openAt(server.url(database)), openAt(server.url(database))])
    const posting = Promise.all(stores.map(({ store }, index) => postAll(store, `s${index}`, 600)))
    for (let round = 0; round < 3; round += 1) {
      await aMoment(100, 400)
      await server.restart('immediate')
      await expect.poll(() => stores.every(({ store }) => store.state().ok)).toBe(true)
    }
    const posts = (await posting).flat()
    await expectAllOnce(stores[0].store, posts)
    expect(stores.flatMap(({ fatal }) => fatal)).toEqual([])
  }, 120_000)

  it('P1: loses and doubles nothing when connections are cut under it', async () => {
    const database = await server.database()
    const stores = await Promise.all([openAt(server.url(database)), openAt(server.url(database))])
    const posting = Promise.all(stores.map(({ store }, index) => postAll(store, `s${index}`, 600)))
    let cut = 0
    for (let round = 0; round < 20; round += 1) {
      await aMoment(20, 100)
      cut += await server.cut(database, 'random() < 0.6')
    }
    expect(cut).toBeGreaterThan(0)
    await expectAllOnce(stores[0].store, (await posting).flat())
  }, 120_000)

  it('P3: hands out no delivery twice while connections are cut', async () => {
    const database = await server.database()
    const [one, other] = await Promise.all([openAt(server.url(database)), openAt(server.url(database))])
    const ids = Array.from({ length: 60 }, (_, index) => `d${index}`)
    const at = '2026-01-02T03:04:05.000Z'
    for (const id of ids) {
      await one.store.deliveries.add(
        { id, agentId: 'ann', channel: 'mail', target: 'x', text: '', createdAt: at },
        'earlier',
      )
    }
    await one.store.deliveries.release('earlier', at)
    const sent: string[] = []
    const work = async (store: Store, name: string): Promise<void> => {
      for (let left = 1; left > 0; left = await openLeft(store)) {
        for (const delivery of await orNone(() => store.deliveries.claim(name, at, 3))) {
          // A claim whose end is not stored is not done: whoever has it next does it again.
          if (await orFalse(() => store.deliveries.settle({ ...delivery, state: 'sent', tries: 1 })))
            sent.push(delivery.id)
        }
        await server.sql(
          `UPDATE string.deliveries SET lease_until = now() WHERE lease_until < now() + interval '29 s'`,
          database,
        )
      }
    }
    const working = Promise.all([work(one.store, 'one'), work(other.store, 'other')])
    for (let round = 0; round < 20; round += 1) {
      await aMoment(20, 60)
      await server.cut(database, "application_name = 'stringd' AND random() < 0.3")
    }
    await working
    expect(new Set(sent).size).toBe(sent.length)
    const rows = await server.sql(
      "SELECT count(*)::integer AS sent, max(tries) AS tries FROM string.deliveries WHERE state = 'sent'",
      database,
    )
    expect(rows).toEqual([{ sent: 60, tries: 1 }])
  }, 120_000)
})

async function orNone<T>(ask: () => Promise<T[]>): Promise<T[]> {
  try {
    return await ask()
  } catch (error) {
    expect(error).toMatchObject({ name: 'StoreAway' })
    return []
  }
}

async function orFalse(ask: () => Promise<boolean>): Promise<boolean> {
  return (await orNone(async () => [await ask()]))[0] ?? false
}

async function openLeft(store: Store): Promise<number> {
  return (await orNone(async () => [await store.deliveries.countOpen('ann', 1)]))[0] ?? 1
}
