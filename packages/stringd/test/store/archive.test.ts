import SqliteDatabase from 'libsql'
import { describe, expect, it } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../test/support/postgres.ts'
import { ARCHIVE_TABLES } from '../../src/store/archive.ts'
import { postgresPlace, sqlitePlace } from './places.ts'

const copied = new Map(ARCHIVE_TABLES.map(({ name, columns }) => [name, Object.keys(columns)]))

/** What an engine has for itself, and why it is not copied. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sqlite: {
    damaged_rows: 'what is left of rows that are not what was stored',
    'events.status': 'follows from acked_at',
    ...Object.fromEntries([...copied.keys()].map((name) => [`${name}.checksum`, 'of the row as this engine keeps it'])),
  },
  postgres: {
    version: 'of the schema',
    agents: 'the last ids: one floor above all of them is copied instead',
    'deliveries.number': 'the order of the rows, in which they are copied',
    nodes: 'daemons that use this store; where an agent lives is in their data folders too',
    turn_news: 'what turns say while they run; none runs during a copy',
    lost_runs: 'names of nodes of this store',
    'turns.ran_on': 'a node of this store',
    'turns.is_cancel_asked': 'of turns that run; none runs during a copy',
    'turns.cancel_reason': 'the same',
    'turns.is_followed': 'by other nodes',
  },
}

/** A column added to the schema of an engine must be copied, or be listed above with a reason. */
function expectAll(engine: string, columns: readonly (readonly [table: string, column: string])[]): void {
  const own = OWN[engine] ?? {}
  const left = columns.filter(([table]) => own[table] === undefined)
  const named = left.filter(([table, column]) => own[`${table}.${column}`] === undefined)
  const expected = [...copied].flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  expect(named.map((pair) => pair.join('.')).toSorted()).toEqual(expected.toSorted())
  const all = [...columns.map(([table]) => table), ...columns.map((pair) => pair.join('.'))]
  for (const name of Object.keys(own)) expect(all, name).toContain(name)
}

describe('everything that an engine keeps is copied, or it is said why not', () => {
  it('of SQLite', async () => {
    const place = sqlitePlace()
    await (await place.open()).close()
    const database = new SqliteDatabase(place.at)
    const text =
      "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
    const rows = database.prepare(text).raw().all([]) as [string, string][]
    database.close()
    expectAll('sqlite', rows)
  })

  describe.skipIf(!hasPostgres)('with a server', () => {
    const server = postgresServer()

    it('of PostgreSQL', async () => {
      const place = await postgresPlace(server)
      await (await place.open()).close()
      const rows = await server.sql(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'string'",
        place.at,
      )
      expectAll(
        'postgres',
        rows.map((row) => [String(row.table_name), String(row.column_name)]),
      )
    })
  })
})
