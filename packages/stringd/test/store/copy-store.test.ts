import { LIMITS } from '@string-os/protocol'
import SqliteDatabase from 'libsql'
import { describe, expect, it } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../test/support/postgres.ts'
import { ARCHIVE_TABLES, type Archive } from '../../src/store/archive.ts'
import { type CopyReport, type CopyStep, copyStore } from '../../src/store/copy-store.ts'
import { openPostgres } from '../../src/store/postgres/postgres-store.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import { closedAfter, silent } from './engines.ts'
import { contentOf, fillStore } from './filled-store.ts'
import { postgresPlace, type StorePlace, sqlitePlace } from './places.ts'
import { eventFor } from './postgres/opened.ts'

const EVENTS = { ...ARCHIVE_TABLES[0], name: 'events', columns: ARCHIVE_TABLES[0]?.columns ?? {} }
const LATE = 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz'

async function filled(place: StorePlace, events?: number): Promise<unknown> {
  const store = await place.open()
  await fillStore(store, events)
  const content = await contentOf(store)
  await store.close()
  return content
}

interface Between {
  readonly from: StorePlace
  readonly to: StorePlace
  /** The copy is cut off when this many parts were stored. */
  readonly parts?: number
  readonly steps?: CopyStep[]
}

async function copy({ from, to, parts, steps = [] }: Between): Promise<CopyReport> {
  const [source, target] = [await from.archive(), await to.archive()]
  try {
    const onStep = (step: CopyStep): void => void steps.push(step)
    return await copyStore({ from: source, to: parts === undefined ? target : cutOff(target, parts), onStep })
  } finally {
    await source.close()
    await target.close()
  }
}

function cutOff(archive: Archive, parts: number): Archive {
  let left = parts
  return {
    ...archive,
    where: archive.where,
    add: async (...given) => {
      if (left === 0) throw new Error('cut off')
      left -= 1
      await archive.add(...given)
    },
  }
}

async function refusal(between: Between): Promise<string> {
  return copy(between).then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

describe('a copy between SQLite files', () => {
  it('is cut off again and again, and goes on from there', async () => {
    const from = sqlitePlace()
    const content = await filled(from, 2_500)
    const steps: CopyStep[] = []
    const to = sqlitePlace()
    let cuts = 0
    while ((await refusal({ from, to, parts: 3, steps })) === 'cut off') cuts += 1
    expect(cuts).toBeGreaterThan(ARCHIVE_TABLES.length / 2)
    expect(await contentOf(await to.open())).toEqual(content)
    // No row was stored twice, and none was read again before the comparison.
    const copied = steps.filter(({ what, table }) => what === 'copied' && table === 'events').map(({ rows }) => rows)
    expect(copied).toEqual(copied.toSorted((one, other) => one - other))
  })

  it('says that it went on, or that it did not', async () => {
    const from = sqlitePlace()
    await filled(from)
    const to = sqlitePlace()
    expect(await refusal({ from, to, parts: 3 })).toBe('cut off')
    expect(await copy({ from, to })).toMatchObject({ isResumed: true })
    expect(await copy({ from, to: sqlitePlace() })).toMatchObject({ isResumed: false, damaged: 0 })
  })

  it('notices that the first has changed since it was cut off', async () => {
    const from = sqlitePlace()
    await filled(from)
    const to = sqlitePlace()
    await refusal({ from, to, parts: 12 })
    const store = await from.open()
    const [event] = await store.events.newest('ann', false, 1)
    await store.events.ack('ann', [event?.id ?? ''], '2026-01-04T00:00:00.000Z')
    await store.events.append(eventFor('bob', 'later'))
    await store.marks.remove('paused:bob')
    const content = await contentOf(store)
    await store.close()
    expect(await copy({ from, to })).toMatchObject({ isResumed: true })
    expect(await contentOf(await to.open())).toEqual(content)
  })

  it('leaves a store that no daemon opens until it is whole', async () => {
    const [from, to] = [sqlitePlace(), sqlitePlace()]
    await filled(from)
    await refusal({ from, to, parts: 3 })
    await expect(to.open()).rejects.toThrow(/copy to this store was not finished/)
    await copy({ from, to })
    await (await to.open()).close()
  })

  it('is refused where the second holds something, or a copy of another one', async () => {
    const [from, other, to] = [sqlitePlace(), sqlitePlace(), sqlitePlace()]
    await filled(from)
    await filled(other)
    expect(await refusal({ from, to: other })).toMatch(/is not empty: it has events/)
    await refusal({ from, to, parts: 3 })
    expect(await refusal({ from: other, to })).toContain(`holds a copy from ${from.at} that was not finished`)
    expect(await refusal({ from: to, to: sqlitePlace() })).toMatch(/holds a copy that was not finished/)
  })

  it('is refused where one was written by a newer String', async () => {
    const [from, to] = [sqlitePlace(), sqlitePlace()]
    await filled(from)
    await (await to.open()).close()
    for (const [place, version] of [
      [to, 999],
      [from, 998],
    ] as const) {
      const database = new SqliteDatabase(place.at)
      database.exec(`PRAGMA user_version = ${version}`)
      database.close()
      await expect(place.archive()).rejects.toThrow(`newer String (version ${version}`)
    }
  })

  it('tells what is damaged and leaves it out, also what was found before', async () => {
    const from = sqlitePlace()
    await filled(from, 100)
    await (await from.open()).close()
    const database = new SqliteDatabase(from.at)
    database.exec("UPDATE events SET source = 'forged' WHERE rowid % 10 = 0")
    database.exec("INSERT INTO damaged_rows VALUES ('then', 'events', '{}')")
    database.close()
    const to = sqlitePlace()
    const { damaged, tables } = await copy({ from, to })
    expect(damaged).toBe(11)
    expect(tables[0]).toMatchObject({ name: 'events', rows: 92 })
    expect((await (await to.open()).events.newest('bob', true, 999)).map(({ source }) => source)).not.toContain(
      'forged',
    )
  })

  it('holds no more than a part at a time, however large the rows are', async () => {
    const from = sqlitePlace()
    const store = await from.open()
    const large = 'x'.repeat(LIMITS.webhookBodyBytes)
    await Promise.all(Array.from({ length: 64 }, () => store.events.append(eventFor('ann', large))))
    await store.close()
    const archive = await from.archive()
    let most = 0
    for (let page = await archive.page(EVENTS, null); page.next !== null; page = await archive.page(EVENTS, page.next))
      most = Math.max(most, page.rows.length * large.length)
    expect(most).toBe(LIMITS.storeCopyBytes)
  })

  it('keeps ids rising after events that are gone', async () => {
    const from = sqlitePlace()
    const store = await from.open()
    await store.events.append(eventFor('ann', '1'))
    await store.marks.put('last_event_id', LATE)
    await store.close()
    const to = sqlitePlace()
    await copy({ from, to })
    const { id } = await (await to.open()).events.append(eventFor('new', '2'))
    expect(id > LATE).toBe(true)
  })
})

describe.skipIf(!hasPostgres)('a copy with PostgreSQL', () => {
  const server = postgresServer()
  const kinds = { sqlite: async () => sqlitePlace(), postgres: () => postgresPlace(server) }

  it.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['postgres', 'postgres'],
  ] as const)('from %s to %s has everything, and what was there stays', async (one, other) => {
    const [from, to] = [await kinds[one](), await kinds[other]()]
    const content = await filled(from)
    const { tables } = await copy({ from, to })
    expect(tables.map(({ rows }) => rows)).toEqual([6, 1, 2, 4, 3, 1, 1, 2, 3, 1])
    expect(await contentOf(await to.open())).toEqual(content)
    expect(await contentOf(await from.open())).toEqual(content)
  })

  it('has the same digests there and back again', async () => {
    const [from, between, to] = [sqlitePlace(), await postgresPlace(server), sqlitePlace()]
    await filled(from)
    const there = await copy({ from, to: between })
    expect((await copy({ from: between, to })).tables).toEqual(there.tables)
  })

  it('is cut off again and again, and goes on from there, in both directions', async () => {
    const [from, between, to] = [sqlitePlace(), await postgresPlace(server), sqlitePlace()]
    const content = await filled(from, 2_500)
    while ((await refusal({ from, to: between, parts: 4 })) === 'cut off');
    while ((await refusal({ from: between, to, parts: 4 })) === 'cut off');
    expect(await contentOf(await to.open())).toEqual(content)
  })

  it('notices that the first has changed since it was cut off', async () => {
    const [from, to] = [sqlitePlace(), await postgresPlace(server)]
    await filled(from)
    await refusal({ from, to, parts: 12 })
    const store = await from.open()
    await store.events.remove('bob', true, 2)
    await store.marks.put('wake:ann', 'evt_y')
    const content = await contentOf(store)
    await store.close()
    await copy({ from, to })
    expect(await contentOf(await to.open())).toEqual(content)
  })

  it('leaves a store that no daemon uses until it is whole', async () => {
    const [from, to] = [sqlitePlace(), await postgresPlace(server)]
    await filled(from)
    await refusal({ from, to, parts: 3 })
    await expect(to.open()).rejects.toThrow(/copy to this store was not finished/)
  })

  it('is refused while a daemon uses either, and where the schema is newer', async () => {
    const [from, to] = [await postgresPlace(server), await postgresPlace(server)]
    const store = await from.open()
    await expect(from.archive()).rejects.toThrow(/a daemon uses it. Stop every stringd/)
    await store.close()
    await (await to.archive()).close()
    await server.sql('UPDATE string.version SET version = 999', to.at)
    await expect(to.archive()).rejects.toThrow(/newer String \(version 999/)
  })

  it('keeps ids rising for every agent, with events or without, whatever the clocks say', async () => {
    const [from, to] = [sqlitePlace(), await postgresPlace(server)]
    const before = closedAfter(openSqlite(from.at, { log: silent, now: () => Date.parse('2200-01-01') }))
    const { id: last } = await before.events.append(eventFor('ann', '1'))
    await before.events.append(eventFor('gone', '2'))
    await before.events.remove('gone', true, 9)
    await before.close()
    await copy({ from, to })
    const options = { log: silent, now: () => Date.parse('2020-01-01'), onFatal: () => undefined }
    const open = async () => closedAfter(await openPostgres(server.url(to.at), options))
    const [one, other] = [await open(), await open()]
    expect((await one.agents.lastEventId('ann')) >= last).toBe(true)
    const ids: string[] = []
    for (const store of [one, other])
      for (const agent of ['ann', 'gone', `new to ${ids.length}`])
        ids.push((await store.events.append(eventFor(agent, 'x'))).id)
    for (const id of ids) expect(id > last).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await one.events.after('ann', last, 9)).map(({ id }) => id)).toEqual([ids[0], ids[3]])
    await one.close()
    await other.close()
    const back = sqlitePlace()
    await copy({ from: to, to: back })
    const past = closedAfter(openSqlite(back.at, { log: silent, now: () => 0 }))
    const greatest = ids.toSorted().at(-1) ?? ''
    expect((await past.events.append(eventFor('ann', 'y'))).id > greatest).toBe(true)
  })

  it('does not lose one of two events that have the same id', async () => {
    const [from, to] = [await postgresPlace(server), sqlitePlace()]
    await (await from.open()).close()
    for (const agent of ['ann', 'bob'])
      await server.sql(`INSERT INTO string.events VALUES ('${agent}', '${LATE}', 'then', 'test', '', NULL, 0)`, from.at)
    expect(await refusal({ from, to })).toMatch(/events has evt_7z+ twice/)
  })
})
