import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { GroupCommit } from '../../src/store/sqlite/group-commit.ts'

/** A disk that syncs when it is told to. */
function slowDisk() {
  const asked: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  return { sync: () => new Promise<void>((resolve, reject) => asked.push({ resolve, reject })), asked }
}

function numbers() {
  const connection = new Connection(join(tempDir(), 'numbers.db'))
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (number INTEGER)')
  return {
    add: (number: number) => (to: Connection) => to.run('INSERT INTO numbers VALUES (?)', number),
    count: () => connection.select(['number'], 'FROM numbers').length,
    connection,
  }
}

describe('a group commit', () => {
  it('answers nobody before the disk has it, and takes together whoever comes meanwhile', async () => {
    const { add, count, connection } = numbers()
    const disk = slowDisk()
    const commits = new GroupCommit(
      () => connection,
      disk.sync,
      () => undefined,
    )
    const answered: number[] = []
    const write = (number: number): Promise<unknown> => commits.write(add(number)).then(() => answered.push(number))
    const first = write(1)
    await until(() => disk.asked.length === 1)
    const others = [2, 3, 4].map(write)
    await aWhile()
    expect({ answered, stored: count(), syncs: disk.asked.length }).toEqual({ answered: [], stored: 1, syncs: 1 })
    disk.asked[0]?.resolve()
    await first
    await until(() => disk.asked.length === 2)
    expect({ answered, stored: count() }).toEqual({ answered: [1], stored: 4 })
    disk.asked[1]?.resolve()
    await Promise.all(others)
    expect(answered).toEqual([1, 2, 3, 4])
    connection.close()
  })

  it('tells those whom a sync failed, and goes on with the next', async () => {
    const { add, connection } = numbers()
    const disk = slowDisk()
    const heard: unknown[] = []
    const commits = new GroupCommit(
      () => connection,
      disk.sync,
      (error) => heard.push(error),
    )
    const lost = commits.write(add(1))
    await until(() => disk.asked.length === 1)
    const broken = new Error('EIO: i/o error, fdatasync')
    disk.asked[0]?.reject(broken)
    await expect(lost).rejects.toBe(broken)
    expect(heard).toEqual([broken])
    const next = commits.write(add(2))
    await until(() => disk.asked.length === 2)
    disk.asked[1]?.resolve()
    expect(await next).toBe(1)
    connection.close()
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await aWhile()
}

function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
