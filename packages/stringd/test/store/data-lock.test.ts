import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'
import { lockDataDir } from '../../src/store/data-lock.ts'
import { lockFile } from '../../src/store/kernel-lock.ts'

function dataDir(): string {
  const dir = join(tempDir(), 'data')
  mkdirSync(dir, { mode: 0o700 })
  return dir
}

/** Another process that takes the lock of a folder as SQLite does, and keeps it. */
async function holder(dir: string) {
  const program = `const Database = require('libsql'); const held = new Database(process.argv[1])
held.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => held.open, 1000)`
  const child = spawn(process.execPath, ['-e', program, join(dir, 'daemon.lock')], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

describe('the lock on the data folder', () => {
  it('S37: is held by one at a time, and free again when it is released', async () => {
    const dir = dataDir()
    const first = await lockDataDir(dir)
    expect(first?.dataId).toMatch(/^[0-9a-f]{32}$/)
    expect(await lockDataDir(dir)).toBeNull()
    // The look of the second one did not end the lock of the first.
    expect(await lockDataDir(dir)).toBeNull()
    first?.release()
    const second = await lockDataDir(dir)
    expect(second?.dataId).toBe(first?.dataId)
    second?.release()
  })

  it('S37: is gone with the process that held it, however that ended', async () => {
    const dir = dataDir()
    const other = await holder(dir)
    expect(await lockDataDir(dir)).toBeNull()
    other.kill('SIGKILL')
    await once(other, 'exit')
    const lock = await lockDataDir(dir)
    expect(lock).not.toBeNull()
    lock?.release()
  })

  it('S37: lies inside the folder, for its owner alone, and leaves no name where others look', async () => {
    const dir = dataDir()
    const before = process.umask(0)
    const lock = await lockDataDir(dir)
    process.umask(before)
    onTestFinished(() => lock?.release())
    expect(readdirSync(dir).sort()).toEqual(['daemon.lock', 'id'])
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600)
  })

  it('S37: of a copied folder is another, of the same folder by another way is the same', async () => {
    const dir = dataDir()
    const lock = await lockDataDir(dir)
    onTestFinished(() => lock?.release())
    cpSync(dir, `${dir}-copy`, { recursive: true })
    const copied = await lockDataDir(`${dir}-copy`)
    expect(copied).not.toBeNull()
    copied?.release()
    symlinkSync(dir, `${dir}-link`)
    expect(await lockDataDir(`${dir}-link`)).toBeNull()
    renameSync(dir, `${dir}-moved`)
    expect(await lockDataDir(`${dir}-moved`)).toBeNull()
  })

  it('S37: of a folder that was removed does not hold one that is made in its place', async () => {
    const dir = dataDir()
    const old = await lockDataDir(dir)
    rmSync(dir, { recursive: true })
    mkdirSync(dir, { mode: 0o700 })
    const fresh = await lockDataDir(dir)
    expect(fresh).not.toBeNull()
    expect(fresh?.dataId).not.toBe(old?.dataId)
    old?.release()
    expect(await lockDataDir(dir)).toBeNull()
    fresh?.release()
  })

  it.each([
    ['a few bytes', 'garbage'],
    ['many bytes', 'x'.repeat(5_000)],
    ['a torn head', 'SQLite format 3\0'],
  ])('R4: is not kept by damage of its file: %s', async (_what, text) => {
    const dir = dataDir()
    writeFileSync(join(dir, 'daemon.lock'), text)
    writeFileSync(join(dir, 'daemon.lock-journal'), text)
    const lock = await lockDataDir(dir)
    expect(lock).not.toBeNull()
    expect(await lockDataDir(dir)).toBeNull()
    lock?.release()
  })

  it('S37: is had by exactly one of many that ask at the same moment', async () => {
    const path = join(dataDir(), 'some.lock')
    const locks = await Promise.all(Array.from({ length: 20 }, () => lockFile(path, 200)))
    const held = locks.filter((lock) => lock !== null)
    expect(held).toHaveLength(1)
    for (const lock of held) lock.release()
  })
})
