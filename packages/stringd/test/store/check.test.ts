import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'libsql'
import { describe, expect, it } from 'vitest'
import { OTHER_UID } from '../../../../test/support/other-user.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import type { Finding } from '../../src/store/finding.ts'
import { checkSqlite } from '../../src/store/sqlite/check.ts'
import { fillStore } from './filled-store.ts'
import { sqlitePlace } from './places.ts'

const look = (path: string, servedBy: number | null = null): Promise<readonly Finding[]> =>
  checkSqlite({ path, servedBy })
const having = (findings: readonly Finding[], state: Finding['state']): string[] =>
  findings.filter((finding) => finding.state === state).map(({ text }) => text)

async function filledFile(events = 4): Promise<string> {
  const place = sqlitePlace()
  const store = await place.open()
  await fillStore(store, events)
  await store.close()
  chmodSync(dirname(place.at), 0o700)
  return place.at
}

function sql(path: string, text: string): void {
  const database = new SqliteDatabase(path)
  database.exec(text)
  database.close()
}

function filesIn(path: string): Record<string, string> {
  const folder = dirname(path)
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const { mode, mtimeMs } = statSync(join(folder, name))
      return [name, `${mode} ${mtimeMs} ${readFileSync(join(folder, name)).toString('base64')}`]
    }),
  )
}

describe('a look at a SQLite store', () => {
  it('finds nothing wrong where there is nothing yet', async () => {
    const dir = tempDir()
    expect(await look(join(dir, 'a/b/state.db'))).toEqual([
      { state: 'good', text: `There is no folder ${join(dir, 'a/b')} yet: the first daemon makes it`, next: null },
    ])
    expect(having(await look(join(dir, 'state.db')), 'bad')).toEqual([])
    expect(readdirSync(dir)).toEqual([])
  })

  it('counts the rows of a whole one, and changes nothing', async () => {
    const path = await filledFile()
    const before = filesIn(path)
    const findings = await look(path)
    expect(having(findings, 'good')).toHaveLength(findings.length)
    const texts = having(findings, 'good')
    expect(texts).toContain('SQLite finds no damage in it')
    expect(texts).toContain('events: 6 rows')
    expect(texts).toContain('event_keys: 1 row')
    expect(texts).toContain('turns: 3 rows')
    expect(filesIn(path)).toEqual(before)
  })

  it('asks nothing of a file that a daemon has', async () => {
    const path = await filledFile()
    const before = filesIn(path)
    expect(having(await look(path, 4242), 'unseen')).toEqual(['A daemon has it (pid 4242): its rows were not checked'])
    expect(filesIn(path)).toEqual(before)
  })

  it('says who else can read it', async () => {
    const path = await filledFile()
    chmodSync(dirname(path), 0o755)
    chmodSync(path, 0o644)
    expect(having(await look(path), 'doubtful')).toEqual([
      `${dirname(path)} is open to others`,
      `${path} can be read by others`,
    ])
  })

  it.skipIf(process.getuid?.() !== 0)('says whose it is, when it is not ours', async () => {
    const path = await filledFile()
    chownSync(path, OTHER_UID, OTHER_UID)
    expect(having(await look(path), 'bad')).toEqual([`${path} belongs to another user`])
    chownSync(dirname(path), OTHER_UID, OTHER_UID)
    expect(having(await look(path), 'bad')).toContain(`${dirname(path)} belongs to another user`)
  })

  it('says which version it has', async () => {
    const path = await filledFile()
    sql(path, 'PRAGMA user_version = 999')
    expect(having(await look(path), 'bad')).toEqual([expect.stringMatching(/newer String \(version 999/)])
    sql(path, 'PRAGMA user_version = 2')
    const older = await look(path)
    expect(having(older, 'bad')).toEqual([])
    expect(having(older, 'good').join()).toContain('of an older String (version 2')
  })

  it('finds rows that are not what was stored, and pages that cannot be read', async () => {
    const path = await filledFile(200)
    sql(path, "UPDATE events SET source = 'forged' WHERE rowid % 100 = 0")
    expect(having(await look(path), 'doubtful')).toEqual(['events: 200 rows, and 2 that are not what was stored'])
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 4096 * 3, 4096 * 6)
    writeFileSync(path, bytes)
    expect(having(await look(path), 'bad').join()).toContain(`${path} is damaged`)
    writeFileSync(path, 'this is no database, but it is long enough to look like a page of one'.repeat(99))
    expect(having(await look(path), 'bad').join()).toContain(`${path} is damaged`)
  })

  it('notices a copy that was not finished', async () => {
    const place = sqlitePlace()
    const store = await place.open()
    await store.marks.put('store_copy', '{}')
    await store.close()
    expect(having(await look(place.at), 'bad')).toEqual(['A copy to this store was not finished'])
  })

  it('says what is in the way of a folder or file', async () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'file'), '')
    expect(having(await look(join(dir, 'file/state.db')), 'bad')).toEqual([`${join(dir, 'file')} is no folder`])
    mkdirSync(join(dir, 'data/state.db'), { recursive: true })
    expect(having(await look(join(dir, 'data/state.db')), 'doubtful')).toContain(
      `${join(dir, 'data/state.db')} is no file`,
    )
  })
})
