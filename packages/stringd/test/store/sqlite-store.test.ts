import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { createLog } from '../../src/log.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { DELIVERIES, earlierTable, FILE_VERSION, TURNS } from '../../src/store/sqlite/schema.ts'
import { putRow, sealedRows } from '../../src/store/sqlite/sealed-row.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { newTurn } from '../../src/turns/new-turn.ts'

const AT = '2026-03-19T05:30:00.000Z'

function open(path = join(tempDir(), 'state.db')): { store: Store; log: string[] } {
  const log: string[] = []
  const store = openSqlite(path, { log: createLog((line) => log.push(line)) })
  onTestFinished(() => store.close())
  return { store, log }
}

/** As the second version left it, with one delivery that was being tried. */
function fileOfVersionTwo(path: string): void {
  const connection = new Connection(path)
  connection.exec(`
    CREATE TABLE events (id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, received_at TEXT NOT NULL, source TEXT NOT NULL,
      text BLOB NOT NULL, status TEXT NOT NULL, acked_at TEXT, hops INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE INDEX events_by_agent ON events (agent_id, status, id);
    CREATE TABLE event_keys (agent_id TEXT NOT NULL, key TEXT NOT NULL, event_id TEXT NOT NULL, used_at TEXT NOT NULL,
      checksum INTEGER NOT NULL, UNIQUE (agent_id, key));
    CREATE TABLE marks (name TEXT NOT NULL UNIQUE, value TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE damaged_rows (found_at TEXT NOT NULL, table_name TEXT NOT NULL, row TEXT NOT NULL);
    CREATE TABLE deliveries (id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, channel TEXT NOT NULL, target TEXT NOT NULL,
      text BLOB NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, created_at TEXT NOT NULL, next_at TEXT, reason TEXT,
      checksum INTEGER NOT NULL);
    CREATE INDEX deliveries_by_state ON deliveries (state, next_at);
    CREATE INDEX deliveries_by_agent ON deliveries (agent_id, state, created_at);
    PRAGMA user_version = 2`)
  for (let index = 0; index < 50; index += 1) {
    const row = { id: `dlv_${index}`, agent_id: 'a', channel: 'c', target: 't', text: Buffer.from(`text ${index}`) }
    putRow(connection, earlierTable(DELIVERIES), {
      ...row,
      state: 'trying',
      tries: index,
      created_at: AT,
      next_at: null,
    })
  }
  connection.close()
}

describe('a SQLite file', () => {
  it('has all that is known about its tables in its first page, which is a leaf', async () => {
    const path = join(tempDir(), 'state.db')
    await openSqlite(path, { log: createLog(() => undefined) }).close()
    const LEAF_OF_TABLE = 13
    expect(readFileSync(path)[100]).toBe(LEAF_OF_TABLE)
  })
})

describe('a SQLite file of an earlier version', () => {
  it('is brought up to date, and what was being tried is taken up again', async () => {
    const path = join(tempDir(), 'state.db')
    fileOfVersionTwo(path)
    const { store, log } = open(path)
    expect(await store.deliveries.newest('a', 100)).toHaveLength(50)
    expect(log).toEqual([])
    expect(await store.deliveries.release('h', AT)).toBe(50)
    const [first] = await store.deliveries.claim('h', AT, 1)
    expect(first).toMatchObject({ state: 'trying', claim: 1 })
  })

  it('in which turns do not know what they repeat has them all afterwards', async () => {
    const path = join(tempDir(), 'state.db')
    const { store } = open(path)
    const turns = Array.from({ length: 50 }, (_, index) => newTurn(`trn_${index}`, 'a', 's', AT))
    for (const turn of turns) await store.turns.add(turn)
    await store.close()
    const connection = new Connection(path)
    const rows = sealedRows(connection, TURNS, '')
    connection.exec('ALTER TABLE turns DROP COLUMN retry_of; ALTER TABLE turns DROP COLUMN retried_by')
    for (const row of rows) putRow(connection, earlierTable(TURNS), row)
    connection.exec(`PRAGMA user_version = ${FILE_VERSION - 1}`)
    connection.close()
    const again = open(path)
    expect(await again.store.turns.open('', 100)).toHaveLength(50)
    await again.store.turns.retried({ id: 'trn_1', agentId: 'a' }, 'trn_2')
    expect(await again.store.turns.byId('trn_1')).toEqual({ ...newTurn('trn_1', 'a', 's', AT), retriedBy: 'trn_2' })
    expect(again.log).toEqual([])
    const LEAF_OF_TABLE = 13
    expect(readFileSync(path)[100]).toBe(LEAF_OF_TABLE)
  })

  it('that is damaged gives back what is whole in it', async () => {
    const path = join(tempDir(), 'state.db')
    fileOfVersionTwo(path)
    const connection = new Connection(path)
    connection.exec("UPDATE deliveries SET text = x'00' WHERE id = 'dlv_7'; DROP TABLE marks")
    connection.close()
    const { store, log } = open(path)
    expect((await store.deliveries.newest('a', 100)).map(({ id }) => id)).not.toContain('dlv_7')
    expect(await store.deliveries.newest('a', 100)).toHaveLength(49)
    expect(log.join('')).toContain('was damaged')
  })
})

describe('a transaction in SQLite', () => {
  it('that waits for something else than the store is refused, and holds up nobody', async () => {
    const { store } = open()
    const slow = store.transaction(async ({ marks }) => {
      await marks.put('a', '1')
      await new Promise((resolve) => setTimeout(resolve, 5))
      await marks.put('b', '1')
    })
    const beside = store.marks.put('c', '1')
    await expect(slow).rejects.toThrow('waits for something else than the store')
    await beside
    expect([...(await store.marks.list('', 10)).keys()]).toEqual(['c'])
  })
})
