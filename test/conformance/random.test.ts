import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fc } from '../support/fast-check.ts'
import { numbersFrom, random, runSeed } from '../support/random.ts'

const root = join(import.meta.dirname, '../..')
const folders = ['test', ...['protocol', 'client', 'bridge', 'stringd'].map((name) => `packages/${name}/test`)]
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
)

const take = (next: () => number) => Array.from({ length: 1000 }, next)

describe('the random choices of tests', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(take(numbersFrom(7))).toEqual(take(numbersFrom(7)))
    expect(take(numbersFrom(7))).not.toEqual(take(numbersFrom(8)))
  })

  it('start with the seed of the run, in properties too', () => {
    expect(process.env.STRING_SEED).toBe(String(runSeed()))
    expect(take(random)).toEqual(take(numbersFrom(runSeed())))
    expect(fc.readConfigureGlobal().seed).toBe(runSeed())
  })

  it('spread from 0 up to 1', () => {
    const numbers = take(numbersFrom(runSeed()))
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(new Set(numbers.map((each) => Math.floor(each * 10))).size).toBe(10)
  })

  it('come from nowhere else', () => {
    const own = ['test/support/fast-check.ts', 'test/support/random.ts', 'test/conformance/random.test.ts']
    const others = sources.filter((file) => !own.includes(file))
    expect(others.length).toBeGreaterThan(150)
    expect(others.filter((file) => /Math\.random|'fast-check'/.test(readFileSync(join(root, file), 'utf8')))).toEqual(
      [],
    )
  })
})
