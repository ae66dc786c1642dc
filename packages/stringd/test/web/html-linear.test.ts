import { afterAll, describe, expect, it } from 'vitest'
import { cpuGrowth, WorkCounter } from '../../../../test/support/work.ts'
import { PAGES, RUNS } from './hostile-pages.ts'

const counter = new WorkCounter()
afterAll(() => counter.close())

const { convertPage } = await import('../../src/web/html/convert.ts')

const convert = (html: string) => {
  convertPage(html, 'https://docs.test/')
}

/** So little that nothing is gone through again for each of the levels around it: most pages take 50. */
const STEPS_PER_CHAR = 150

describe('S20: the conversion of a hostile page is linear', () => {
  it.each(Object.entries({ ...PAGES, ...RUNS }))('%s: twice the page is at most 2.5 times the work', (_name, page) => {
    const large = (): void => convert(page(40_000))
    expect(counter.growth(() => convert(page(20_000)), large)).toBeLessThan(2.5)
    expect(counter.count(large) / page(40_000).length).toBeLessThan(STEPS_PER_CHAR)
  })

  it.each(Object.entries(RUNS))(
    '%s: the time that patterns take grows with the page, not with its square',
    (_name, page) => {
      expect(cpuGrowth((times) => convert(page(16_000 * times)))).toBeLessThan(64)
    },
  )
})
