import { expect, it } from 'vitest'
import { localMinutes } from '../../src/chanflow/reply.ts'

it.each([
  ['2026-03-19T05:30:59Z', 540, '2026-03-19T14:30+09:00'],
  ['2026-03-19T05:30:00Z', 0, '2026-03-19T05:30+00:00'],
  ['2026-01-01T00:10:00Z', -210, '2025-12-31T20:40-03:30'],
  ['2026-03-19T23:59:00Z', 345, '2026-03-20T05:44+05:45'],
])('%s at %i minutes is %s', (time, offset, shown) => {
  expect(localMinutes(new Date(time), offset)).toBe(shown)
})

it('is local time, and the same moment', () => {
  const now = new Date()
  expect(Math.abs(Date.parse(localMinutes(now)) - now.getTime())).toBeLessThan(60_000)
})
