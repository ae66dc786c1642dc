import { describe, expect, it } from 'vitest'
import { clockTime, duration, span } from '../../src/parts/when.tsx'

describe('a time', () => {
  it.each([
    [0, '0 s'],
    [7_400, '7 s'],
    [760_000, '12 min 40 s'],
    [3_600_000 * 3 + 300_000, '3 h 05 min'],
    [86_400_000 * 2, '2 d'],
    [-5_000, '0 s'],
  ])('that has gone on for %d ms is %s', (ms, shown) => {
    expect(span(ms)).toBe(shown)
  })

  it.each([
    [420, '420 ms'],
    [1_240, '1.2 s'],
    [185_000, '3 min 05 s'],
  ])('that took %d ms is %s', (ms, shown) => {
    expect(duration(ms)).toBe(shown)
  })

  it('of a day is shown by the clock, of another with its date', () => {
    const now = new Date(2026, 10, 16, 12, 0)
    const at = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString()
    expect(clockTime(at(2026, 10, 16, 9, 5), now)).toBe('09:05')
    expect(clockTime(at(2026, 10, 14, 9, 5), now)).toBe('Nov 14 09:05')
    expect(clockTime(at(2025, 2, 1, 9, 5), now)).toBe('Mar 1 2025')
  })
})
