import { describe, expect, it } from 'vitest'
import { apartAbove, EventIds, isEventId } from '../../src/store/event-id.ts'

describe('ids of events', () => {
  it('R18: are distinct and grow whatever the clock does', () => {
    const times = [5, 5, 5, 1_000, 3, 2, 1_000, 1_001, 0, 2 ** 45, 1, Number.NaN, -7]
    const ids = new EventIds(null, () => times.shift() ?? 1)
    const made = Array.from({ length: 5_000 }, () => ids.next())
    expect(made.every(isEventId)).toBe(true)
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  it('R18: go on behind the greatest one that exists, when the clock was set back meanwhile', () => {
    const last = new EventIds(null, () => Date.UTC(2040, 0)).next()
    const ids = new EventIds(last, () => Date.UTC(2026, 0))
    const next = ids.next()
    expect(next > last).toBe(true)
    expect(ids.next() > next).toBe(true)
  })

  it('R18: above one that several are told, each has its own', () => {
    const last = new EventIds(null, () => Date.UTC(2040, 0)).next()
    const made = Array.from({ length: 1_000 }, () => new EventIds(apartAbove(last), () => 0).next())
    expect(made.every((id) => isEventId(id) && id > last)).toBe(true)
    expect(new Set(made).size).toBe(made.length)
    expect(isEventId(apartAbove(`evt_0${'z'.repeat(25)}`))).toBe(true)
    expect(apartAbove(`evt_0${'z'.repeat(25)}`) > `evt_0${'z'.repeat(25)}`).toBe(true)
  })

  it.each([
    '',
    'evt_',
    'evt_../../etc/passwd',
    `evt_${'0'.repeat(25)}`,
    `evt_${'0'.repeat(27)}`,
    `evt_${'u'.repeat(26)}`,
    `evt_${'0'.repeat(26)}\n`,
    `EVT_${'0'.repeat(26)}`,
  ])('S12: %j is none', (text) => {
    expect(isEventId(text)).toBe(false)
  })
})
