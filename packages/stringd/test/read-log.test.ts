import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp.ts'
import { type LogQuery, readLog } from '../src/read-log.ts'

const ALL: LogQuery = { limit: 100, before: null, since: null, level: 'debug' }

const timeOf = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const line = (second: number, fields: object = {}): string =>
  `${JSON.stringify({ time: timeOf(second), level: 'info', message: `at ${second}`, ...fields })}\n`

function logOf(...files: string[]): string {
  const path = join(tempDir(), 'daemon.log')
  for (const [index, text] of files.entries()) writeFileSync(index === 0 ? path : `${path}.${index}`, text)
  return path
}

const messages = async (path: string, query: Partial<LogQuery> = {}): Promise<string[]> =>
  (await readLog(path, { ...ALL, ...query })).map(({ message }) => message)

describe('the end of a log', () => {
  it('is read newest first, over all files of the log, and of no log there is nothing', async () => {
    const path = logOf(line(5) + line(6), line(3) + line(4), line(1) + line(2))
    expect(await messages(path)).toEqual([6, 5, 4, 3, 2, 1].map((second) => `at ${second}`))
    expect(await messages(path, { limit: 3 })).toEqual(['at 6', 'at 5', 'at 4'])
    expect(await messages(join(tempDir(), 'daemon.log'))).toEqual([])
  })

  it('is asked from a time to a time, and for what is urgent', async () => {
    const path = logOf(
      line(1) + line(2, { level: 'warn' }) + line(3, { level: 'error', cause: 'x' }) + line(4, { level: 'debug' }),
    )
    expect(await messages(path, { since: timeOf(2), before: timeOf(4) })).toEqual(['at 3', 'at 2'])
    expect(await messages(path, { level: 'warn' })).toEqual(['at 3', 'at 2'])
    expect(await readLog(path, { ...ALL, level: 'error' })).toEqual([
      { time: timeOf(3), level: 'error', message: 'at 3', fields: { cause: 'x' } },
    ])
  })

  it('goes on with its oldest time, and loses nothing that was logged in the same millisecond', async () => {
    const path = logOf([1, 2, 2, 2, 3, 4].map((second) => line(second)).join(''))
    const first = await readLog(path, { ...ALL, limit: 3 })
    expect(first.map(({ message }) => message)).toEqual(['at 4', 'at 3', 'at 2', 'at 2', 'at 2'])
    expect(await messages(path, { limit: 3, before: first.at(-1)?.time ?? null })).toEqual(['at 1'])
  })

  it('passes over lines that are torn, foreign or endless', async () => {
    const endless = 'x'.repeat(3 * LIMITS.listedLogBytes)
    const path = logOf(`${line(1)}{"time":"2026\n\nhello\n[1]\n${endless}\n${line(2)}${line(3).slice(0, -9)}`)
    expect(await messages(path)).toEqual(['at 2', 'at 1'])
  })

  it('is whole where lines are longer than what is read at once, and characters stand on the border', async () => {
    const long = 'ä𝒞'.repeat(100_000)
    const path = logOf(line(1, { long }) + line(2, { long: `x${long}` }) + line(3, { long: `xx${long}` }))
    const found = await readLog(path, ALL)
    expect(found.map(({ fields }) => fields.long)).toEqual([`xx${long}`, `x${long}`, long])
  })

  it('answers no more than there is room for, and goes on from there', async () => {
    const long = 'x'.repeat(100_000)
    const path = logOf(Array.from({ length: 40 }, (_, second) => line(second, { long })).join(''))
    let before: string | null = null
    const seen: string[] = []
    for (;;) {
      const found = await readLog(path, { ...ALL, before })
      if (found.length === 0) break
      expect(found.length).toBeLessThan(15)
      seen.push(...found.map(({ message }) => message))
      before = found.at(-1)?.time ?? null
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => `at ${39 - index}`))
  })

  it('tells nothing twice when a new file is begun while it is read', async () => {
    const path = logOf(line(1) + line(2))
    const reading = messages(path)
    renameSync(path, `${path}.1`)
    writeFileSync(path, line(3))
    expect((await reading).filter((message) => message !== 'at 3')).toEqual(['at 2', 'at 1'])
  })
})
