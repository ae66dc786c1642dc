import { expect, it } from 'vitest'
import { clockTime, shownSpan, wholeTime } from '../../../src/cli/turns/time.ts'

const NOW = new Date(2026, 2, 19, 14, 30, 5).getTime()

it.each([
  [0, '0ms'],
  [-5, '0ms'],
  [999.4, '999ms'],
  [1_000, '1.0s'],
  [59_940, '59.9s'],
  [59_960, '1m00s'],
  [125_000, '2m05s'],
  [3_599_900, '1h00m'],
  [11_220_000, '3h07m'],
  [187_200_000, '2d04h'],
])('%i ms are shown as %s', (ms, shown) => expect(shownSpan(ms)).toBe(shown))

it('a time of today has no date, one of this year no year', () => {
  const at = (...parts: [number, number, number, number, number]): string => new Date(...parts, 7).toISOString()
  expect(clockTime(at(2026, 2, 19, 9, 5), NOW)).toBe('09:05:07')
  expect(clockTime(at(2026, 2, 18, 23, 59), NOW)).toBe('03-18 23:59')
  expect(clockTime(at(2025, 2, 19, 9, 5), NOW)).toBe('2025-03-19')
  const shown = wholeTime(at(2026, 2, 19, 9, 5))
  expect(shown).toMatch(/^2026-03-19 09:05:07 [+-]\d\d:\d\d$/)
  // The zone is that of the moment: read back, it is the same one.
  expect(new Date(shown).toISOString()).toBe(at(2026, 2, 19, 9, 5))
})
