import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../../test/support/postgres.ts'
import type { Store } from '../../../src/store/store.ts'
import { missedByReader } from '../order.ts'
import { eventFor, openAt } from './opened.ts'

/** Writes something, and commits it when it is told to. */
type Writer = (mayCommit: Promise<unknown>, onWritten: () => void) => Promise<unknown>

/** The first writer writes first and commits last. The second one gets its chance to overtake it; it may have to wait. */
async function interleaved(first: Writer, second: Writer, chance: () => Promise<void>): Promise<void> {
  let commitFirst: () => void = () => undefined
  const mayCommit = new Promise<void>((resolve) => {
    commitFirst = resolve
  })
  let whenWritten: () => void = () => undefined
  const isWritten = new Promise<void>((resolve) => {
    whenWritten = resolve
  })
  const one = first(mayCommit, whenWritten)
  await isWritten
  const other = second(Promise.resolve(), () => undefined)
  await Promise.race([other, chance()])
  commitFirst()
  await Promise.all([one, other])
}

describe.skipIf(!hasPostgres)('P2: two writers at the same time', () => {
  const server = postgresServer()

  const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))

  it('let a reader miss an event whose id is from a plain sequence', async () => {
    const database = await server.database()
    await server.sql('CREATE TABLE plain (id bigserial PRIMARY KEY)', database)
    const connected = async (): Promise<Client> => {
      const client = new Client({ connectionString: server.tcpUrl(database) })
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }
    const [one, two, reader] = [await connected(), await connected(), await connected()]
    const writer =
      (client: Client): Writer =>
      async (mayCommit, onWritten) => {
        await client.query('BEGIN')
        await client.query('INSERT INTO plain DEFAULT VALUES')
        onWritten()
        await mayCommit
        // The reader has its turn between the two commits.
        await client.query('COMMIT')
        await aWhile()
      }
    const after = async (id: string): Promise<string[]> => {
      const { rows } = await reader.query<{ id: string }>('SELECT id FROM plain WHERE id > $1 ORDER BY id LIMIT 9', [
        id === '' ? 0 : id,
      ])
      return rows.map((row) => row.id)
    }
    const missed = await missedByReader(
      after,
      interleaved(writer(one), writer(two), () => new Promise(() => undefined)),
    )
    expect(missed).toEqual(['1'])
  })

  it.each([
    ['that have the same clock', 0],
    ['whose clocks differ', -60_000],
  ])('%s let it miss none whose agent is locked before the id counts', async (_, aheadMs) => {
    const database = await server.database()
    const { store: one } = await openAt(server.url(database), () => Date.now() + aheadMs)
    const { store: two } = await openAt(server.url(database))
    await two.events.append(eventFor('ann', 'zero'))
    const first: Writer = (mayCommit, onWritten) =>
      one.transaction(async ({ events }) => {
        await events.append(eventFor('ann', 'one'))
        onWritten()
        await mayCommit
      })
    const second: Writer = async () => {
      await two.events.append(eventFor('ann', 'two'))
    }
    const after = async (id: string): Promise<string[]> =>
      (await two.events.after('ann', id, 9)).map((event) => event.id)
    expect(await missedByReader(after, interleaved(first, second, aWhile))).toEqual([])
    expect((await two.events.after('ann', '', 9)).map(({ text }) => text)).toEqual(['zero', 'one', 'two'])
  })

  it('of many agents at once, with clocks that differ, lose no event and double none', async () => {
    const database = await server.database()
    const open = (ms: number): ReturnType<typeof openAt> => openAt(server.url(database), () => Date.now() + ms)
    const stores = [await open(0), await open(5), await open(-5_000)] as const
    const agents = ['a', 'b', 'c', 'd']
    const given = Array.from({ length: 300 }, (_, index) =>
      eventFor(agents[index % 4] ?? '', `${index}`, `key ${index % 290}`),
    )
    const storeOf = (index: number): Store => (stores[index % 3] ?? stores[0]).store
    const writing = given.map((event, index) => storeOf(index).events.append(event))
    const reading = agents.map((agent) => {
      const after = async (id: string): Promise<string[]> =>
        (await storeOf(0).events.after(agent, id, 20)).map((event) => event.id)
      return missedByReader(after, Promise.all(writing))
    })
    expect((await Promise.all(reading)).flat()).toEqual([])
    const appended = await Promise.all(writing)
    expect(appended.filter((each) => each.event !== null)).toHaveLength(
      new Set(given.map(({ agentId, key }) => `${agentId} ${key?.name}`)).size,
    )
    const [{ stored } = {}] = await server.sql('SELECT count(*)::integer AS stored FROM string.events', database)
    expect(stored).toBe(appended.filter((each) => each.event !== null).length)
  })
})
