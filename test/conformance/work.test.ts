import { afterAll, describe, expect, it } from 'vitest'
import { cpuGrowth, WorkCounter } from '../support/work.ts'

const counter = new WorkCounter()
afterAll(() => counter.close())

const numbers = (length: number) => Array.from({ length }, (_, index) => index)

/** How many times more work twice the size is. */
function doubling(work: (size: number) => unknown): number {
  const count = (size: number) => counter.count(() => work(size))
  return count(2000) / count(1000)
}

describe('a count of work', () => {
  it.each<[string, (size: number) => unknown]>([
    ['a loop in a loop', (size) => numbers(size).filter((a) => numbers(size).every((b) => a + b >= 0))],
    ['a search in a list for each item', (size) => numbers(size).filter((each, _, all) => all.indexOf(each) >= 0)],
    ['a list that grows at its start', (size) => numbers(size).map((each, _, all) => all.unshift(each))],
    [
      'a search in the whole text at each place',
      (size) => numbers(size).filter((at) => 'a'.repeat(size).indexOf('b', at) >= 0),
    ],
    [
      'a pattern that looks through the rest at each place',
      (size) => numbers(size).filter((at) => /b/.test('a'.repeat(size - at))),
    ],
  ])('sees that %s is quadratic', (_what, work) => {
    expect(doubling(work)).toBeGreaterThan(3)
  })

  it('is twice as high for twice as much', () => {
    expect(doubling((size) => numbers(size).map((each) => String(each).trim()))).toBeCloseTo(2, 0)
  })

  it('comes with a measure that sees what a pattern does while it backtracks', () => {
    expect(cpuGrowth((times) => /a+$/.test(`${'a'.repeat(1500 * times)}b`))).toBeGreaterThan(64)
    expect(cpuGrowth((times) => /ab/.test(`${'a'.repeat(1500 * times)}b`))).toBeLessThan(64)
  })
})
