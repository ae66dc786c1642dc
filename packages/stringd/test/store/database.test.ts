import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { Inbox } from '../../src/events/inbox.ts'
import { createLog } from '../../src/log.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

interface Opened {
  readonly store: Store
  readonly inbox: Inbox
  readonly log: string[]
}

function open(path: string): Opened {
  const log: string[] = []
  const store = openSqlite(path, { log: createLog((line) => log.push(line)) })
  return { store, inbox: new Inbox(store), log }
}

function fileWith(texts: readonly string[]): Promise<string> {
  const path = join(tempDir(), 'state.db')
  const { store, inbox } = open(path)
  return Promise.all(texts.map((text) => inbox.append({ agentId: 'a', source: 'local', text }))).then(async () => {
    await store.close()
    // Elsewhere: within one process the driver still holds on to the file it had open.
    const copy = join(tempDir(), 'state.db')
    copyFileSync(path, copy)
    return copy
  })
}

const texts = async (inbox: Inbox): Promise<string[]> =>
  (await inbox.newest('a', true, 100_000)).map(({ text }) => text).toReversed()
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `text number ${index} ${'x'.repeat(300)}`)

describe('the database', () => {
  it('gives back after a restart what it stored, in one file when it was closed', async () => {
    const path = await fileWith(['one', 'two\0three\ufeff\r\n', '𝒞'])
    expect(readdirSync(join(path, '..')).filter((name) => statSync(join(path, '..', name)).size > 0)).toContain(
      'state.db',
    )
    const { inbox, log, store } = open(path)
    expect(await texts(inbox)).toEqual(['one', 'two\0three\ufeff\r\n', '𝒞'])
    expect(log).toEqual([])
    await store.close()
  })

  it('S15: is for its owner only, whatever the umask', async () => {
    const mask = process.umask(0)
    try {
      const path = join(tempDir(), 'state.db')
      const { inbox, store } = open(path)
      await inbox.append({ agentId: 'a', source: 's', text: 'x' })
      for (const name of readdirSync(join(path, '..')))
        expect(statSync(join(path, '..', name)).mode & 0o777).toBe(0o600)
      await store.close()
    } finally {
      process.umask(mask)
    }
  })

  it('one change that fails does not undo those it was written with', async () => {
    const path = join(tempDir(), 'state.db')
    const { store, inbox } = open(path)
    const outcomes = await Promise.allSettled([
      inbox.append({ agentId: 'a', source: 's', text: 'before' }),
      store.transaction(() => Promise.reject(new Error('wrong'))),
      inbox.append({ agentId: 'a', source: 's', text: 'after' }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await texts(inbox)).toEqual(['before', 'after'])
    await store.close()
  })

  it('R2: a flipped byte in a row is noticed, and that row alone is set aside', async () => {
    const path = await fileWith(['first', 'the second text', 'third'])
    const bytes = readFileSync(path)
    const at = bytes.indexOf('the second text')
    expect(at).toBeGreaterThan(0)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const { inbox, log, store } = open(path)
    expect(await texts(inbox)).toEqual(['first', 'third'])
    expect(log.join('')).toContain('1 damaged rows of events were set aside')
    await store.close()
    const again = open(path)
    expect(again.log).toEqual([])
    expect(await texts(again.inbox)).toEqual(['first', 'third'])
    await again.store.close()
  })

  it('R2: a byte that is flipped while the daemon runs is noticed when the row is read', async () => {
    const path = await fileWith(['first', 'the second text', 'third'])
    const { inbox, log, store } = open(path)
    const file = openSync(path, 'r+')
    writeSync(file, 'THE', readFileSync(path).indexOf('the second text'))
    const seen = await texts(inbox)
    // SQLite may still hold the page; then it is whole.
    expect(seen.filter((text) => !text.toLowerCase().startsWith('the second'))).toEqual(['first', 'third'])
    expect(seen).not.toContain('THE second text')
    if (seen.length === 2) expect(log.join('')).toContain('set aside')
    await store.close()
  })

  it.each([
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['is garbage', (path: string) => writeFileSync(path, 'not a database '.repeat(1_000))],
    ['has lost its beginning', (path: string) => overwrite(path, 0, 100)],
    [
      'is cut in the middle',
      (path: string) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2)),
    ],
    ['is cut to a part of a page', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5_000))],
    ['has a garbled page', (path: string) => overwrite(path, 4096 * 20, 4096)],
    [
      'has many garbled pages',
      (path: string) => {
        for (const page of [8, 12, 30, 31, 32]) overwrite(path, 4096 * page, 4096)
      },
    ],
  ])('R4: a file that %s never prevents a start, and what reads and checks lives on', async (what, damage) => {
    const all = many(500)
    const path = await fileWith(all)
    damage(path)
    const { inbox, log, store } = open(path)
    const kept = await texts(inbox)
    expect(kept.every((text) => all.includes(text))).toBe(true)
    expect(new Set(kept).size).toBe(kept.length)
    if (what.includes('garbled')) expect(kept.length).toBeGreaterThan(300)
    if (what !== 'is empty') {
      const aside = readdirSync(join(path, '..')).find((name) => name.startsWith('state.db.damaged-'))
      expect(aside).toBeDefined()
      expect(log.filter((line) => line.includes('was damaged'))).toHaveLength(1)
      expect(log.join('')).toContain(`${kept.length} `)
      expect(log.join('')).toContain(aside)
      const counted = /rows were saved, (?:at least [1-9]\d* (?:is|are) lost|none is known to be lost); it is kept/
      const lost = what.includes('garbled') ? counted : /0 rows were saved, how many are lost cannot be told;/
      expect(log.join('')).toMatch(lost)
      expect(log.join('')).toContain('docs/store.md#backup-and-restore puts a backup in its place')
    }
    await inbox.append({ agentId: 'a', source: 's', text: 'life goes on' })
    expect(await texts(inbox)).toContain('life goes on')
    await store.close()
  })

  it('R4: whatever bit is flipped, it starts, and serves nothing that was not stored', async () => {
    const all = many(60)
    const whole = await fileWith(all)
    const size = statSync(whole).size
    const copy = join(tempDir(), 'state.db')
    const places = Array.from({ length: 150 }, (_, step) => (step * 7_919) % size)
    // The formats, the version, and the columns of a table, which stand in the file as its statement.
    const first = [18, 19, 47, 60, 63, readFileSync(whole).indexOf('hops'), readFileSync(whole).indexOf('damaged_rows')]
    for (const [step, at] of [...first, ...first, ...places].entries()) {
      for (const name of readdirSync(join(copy, '..'))) rmSync(join(copy, '..', name))
      copyFileSync(whole, copy)
      overwrite(copy, at, 1, step % 9 === 0 ? 0x5a : 0x80 >> (step % 8))
      if (isOfNewer(copy)) continue
      const { inbox, store } = open(copy)
      expect((await texts(inbox)).filter((text) => !all.includes(text))).toEqual([])
      await store.close()
    }
  })

  it.each(['local', 'pending', '202'])(
    'R4: a text that is not UTF-8 any more costs its row, and ends nothing: %s',
    async (column) => {
      const path = await fileWith(['a short text', 'another'])
      overwrite(path, readFileSync(path).indexOf(column), 1, 0x80)
      const { inbox, log, store } = open(path)
      expect(await texts(inbox)).toHaveLength(1)
      expect(log.join('')).toMatch(/1 damaged rows of events were set aside|at least 1 is lost/)
      await inbox.append({ agentId: 'a', source: 's', text: 'life goes on' })
      await store.close()
    },
  )

  it('R7: a file that is removed under it is written again, with all that was in it', async () => {
    const path = await fileWith(['one'])
    const { inbox, store, log } = open(path)
    await inbox.append({ agentId: 'a', source: 's', text: 'two' })
    rmSync(join(path, '..'), { recursive: true })
    await inbox.append({ agentId: 'a', source: 's', text: 'three' })
    expect(existsSync(path)).toBe(true)
    expect(log.join('')).toContain('was removed')
    await store.close()
    const again = open(path)
    expect(await texts(again.inbox)).toEqual(['one', 'two', 'three'])
    await again.store.close()
  })

  it('R7: says so when it cannot be written again, and nothing is acknowledged', async () => {
    const path = await fileWith(['one'])
    const { inbox, store } = open(path)
    rmSync(join(path, '..'), { recursive: true })
    writeFileSync(join(path, '..'), 'in the way')
    await expect(inbox.append({ agentId: 'a', source: 's', text: 'two' })).rejects.toThrow()
    rmSync(join(path, '..'))
    await inbox.append({ agentId: 'a', source: 's', text: 'three' })
    expect(await texts(inbox)).toEqual(['one', 'three'])
    await store.close()
  })

  it('refuses a file that a newer String has written, and leaves it alone', async () => {
    const path = await fileWith(['one'])
    const bytes = readFileSync(path)
    bytes.writeUInt32BE(99, 60)
    writeFileSync(path, bytes)
    expect(() => open(path)).toThrow('newer String')
    expect(readFileSync(path).readUInt32BE(60)).toBe(99)
    chmodSync(path, 0o600)
  })

  it.each(['', '-wal'])('R7: acknowledges nothing into a file that was cut under it: state.db%s', async (suffix) => {
    const path = join(tempDir(), 'state.db')
    const { inbox, store } = open(path)
    const append = (text: string): Promise<unknown> => inbox.append({ agentId: 'a', source: 's', text })
    // Enough of them that some are in the one file and some in the other.
    for (const text of many(2_000)) await append(text)
    truncateSync(path + suffix, 0)
    const later = many(50).map((text) => `later ${text}`)
    for (const text of later) await append(text)
    expect((await afterKill(path)).slice(-later.length)).toEqual(later)
    await store.close()
  })

  it('R7: keeps what it has while its place is taken, and writes it when the place is free', async () => {
    const path = join(tempDir(), 'state.db')
    const { inbox, store } = open(path)
    await inbox.append({ agentId: 'a', source: 's', text: 'before' })
    rmSync(path)
    mkdirSync(path)
    for (const text of ['refused', 'refused again'])
      await expect(inbox.append({ agentId: 'a', source: 's', text })).rejects.toThrow()
    rmdirSync(path)
    await inbox.append({ agentId: 'a', source: 's', text: 'after' })
    expect(await afterKill(path)).toEqual(['before', 'after'])
    await store.close()
  })
})

/** What a daemon would find that starts after this one was killed now. */
async function afterKill(path: string): Promise<string[]> {
  const copy = join(tempDir(), 'state.db')
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix)
  const { inbox, store } = open(copy)
  const found = await texts(inbox)
  await store.close()
  return found
}

/** Only a person can tell whether a version was damaged. */
function isOfNewer(path: string): boolean {
  return readFileSync(path).readInt32BE(60) > 4
}

function overwrite(path: string, at: number, length: number, mask = 0x5a): void {
  const bytes = readFileSync(path)
  for (let index = at; index < Math.min(at + length, bytes.length); index += 1)
    bytes[index] = (bytes[index] ?? 0) ^ mask
  writeFileSync(path, bytes)
}
