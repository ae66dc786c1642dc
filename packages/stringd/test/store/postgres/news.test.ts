import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../../test/support/postgres.ts'
import type { News, Store } from '../../../src/store/store.ts'
import { eventFor, openAt } from './opened.ts'

const LOOK = { after: null, events: [] }

describe.skipIf(!hasPostgres)('P4: news of a PostgreSQL', () => {
  const server = postgresServer()

  const heardBy = (store: Store): News[] => {
    const heard: News[] = []
    store.onNews((news) => void heard.push(news))
    return heard
  }

  it('tell another daemon to look, and itself what there is', async () => {
    const url = server.url(await server.database())
    const [here, there] = await Promise.all([openAt(url), openAt(url)])
    const [own, others] = [heardBy(here.store), heardBy(there.store)]
    const { event } = await here.store.events.append(eventFor('ann', 'hello'))
    expect(own).toEqual([{ agentId: 'ann', after: '', events: [event] }])
    await expect.poll(() => others).toEqual([{ agentId: 'ann', ...LOOK }])
    await there.store.transaction(({ events }) => events.append(eventFor('bob', 'hi')))
    await expect.poll(() => own.at(-1)).toEqual({ agentId: 'bob', ...LOOK })
  })

  it('of more agents than one notification can name are all told', async () => {
    const url = server.url(await server.database())
    const [here, there] = await Promise.all([openAt(url), openAt(url)])
    const others = heardBy(there.store)
    const agents = Array.from({ length: 250 }, (_, index) => `${'agent'.repeat(10)}-${index}`)
    await Promise.all(agents.map((agent) => here.store.events.append(eventFor(agent, 'x'))))
    await expect.poll(() => new Set(others.map(({ agentId }) => agentId)).size).toBe(agents.length)
  })

  it('that nobody could hear are found when the connection is back', async () => {
    const database = await server.database()
    const [here, there] = await Promise.all([openAt(server.url(database)), openAt(server.url(database))])
    await here.store.events.append(eventFor('ann', 'before'))
    const others = heardBy(there.store)
    const other = new Client({ connectionString: server.tcpUrl(database) })
    await other.connect()
    onTestFinished(() => other.end())
    await server.sql(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
    expect(await server.cut(database, "application_name = 'stringd'")).toBeGreaterThan(1)
    await expect.poll(() => there.store.state().ok).toBe(false)
    await other.query(LATER_EVENT)
    await server.sql(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
    await expect.poll(() => there.store.state().ok).toBe(true)
    await expect.poll(() => others).toContainEqual({ agentId: 'zoe', ...LOOK })
  })

  it('that were never told, because whoever stored them ended, are found by looking', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    const heard = heardBy(store)
    const { event } = await store.events.append(eventFor('ann', 'hello'))
    await server.sql(LATER_EVENT, database)
    await expect
      .poll(() => heard)
      .toEqual([
        { agentId: 'ann', after: '', events: [event] },
        { agentId: 'zoe', ...LOOK },
      ])
  })

  it('of more agents than one look reads at once are all found, whatever transactions they are of', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    const heard = heardBy(store)
    for (const part of ['a', 'b', 'c']) {
      await server.sql(
        `INSERT INTO string.agents SELECT '${part}' || n, 'evt_x', '', ((pg_current_xact_id()::text::bigint + 9 * n * n)::text)::xid8
         FROM generate_series(1, 1200) AS n`,
        database,
      )
    }
    await expect.poll(() => new Set(heard.map(({ agentId }) => agentId)).size).toBe(3_600)
    expect(heard).toHaveLength(3_600)
  })

  it('of a transaction that was open while others looked are found too', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    const heard = heardBy(store)
    // It began before the look and ends after it, with a number below those of others that were seen.
    const slow = server.sql(`BEGIN; ${LATER_EVENT}; SELECT pg_sleep(7); COMMIT`, database)
    await expect.poll(() => server.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).toHaveLength(1)
    await store.events.append(eventFor('ann', 'hello'))
    await slow
    expect(heard.map(({ agentId }) => agentId)).toEqual(['ann'])
    await expect.poll(() => heard.map(({ agentId }) => agentId)).toEqual(['ann', 'zoe'])
  })
})

/** As another daemon stores it that is killed before it tells anybody. */
const LATER_EVENT = `INSERT INTO string.agents VALUES ('zoe', 'evt_${'z'.repeat(26)}', '', pg_current_xact_id())`
