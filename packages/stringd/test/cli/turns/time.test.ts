import { describe, expect, it } from 'vitest'
import { clockTime, parseSince, shownSpan, wholeTime } from '../../../src/cli/turns/time.ts'

const NOW = new Date(2026, 2, 19, 14, 30, 5).getTime()

describe('--since', () => {
  it.each([
    ['30s', 30],
    ['15m', 900],
    ['12h', 43_200],
    ['1d', 86_400],
    ['2w', 1_209_600],
    ['0d', 0],
  ])('%s is %i seconds ago', (text, seconds) => {
    expect(NOW - parseSince(text, NOW).getTime()).toBe(seconds * 1_000)
  })

  it('takes today and yesterday, from their midnight on', () => {
    expect(parseSince('today', NOW)).toEqual(new Date(2026, 2, 19))
    expect(parseSince('yesterday', NOW)).toEqual(new Date(2026, 2, 18))
  })

  it('takes a day and a time, of this machine where no zone is said', () => {
    expect(parseSince('2026-03-18', NOW)).toEqual(new Date(2026, 2, 18))
    expect(parseSince('2026-03-18T09:30', NOW)).toEqual(new Date(2026, 2, 18, 9, 30))
    expect(parseSince('2026-03-18T09:30:00Z', NOW).toISOString()).toBe('2026-03-18T09:30:00.000Z')
    expect(parseSince('2026-03-18T09:30+09:00', NOW).toISOString()).toBe('2026-03-18T00:30:00.000Z')
  })

  it.each(['', 'tomorrow', '7', '7 d', '-1d', '1.5d', '2026-13-01', '2026-03', '1y'])('refuses %j', (text) => {
    expect(() => parseSince(text, NOW)).toThrow('--since takes a span such as 30m')
  })
})

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
