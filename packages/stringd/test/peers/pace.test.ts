import { describe, expect, it } from 'vitest'
import { Pace } from '../../src/peers/pace.ts'

function paced() {
  let now = 0
  const pace = new Pace({ percent: 20, savedMs: 100 }, () => now)
  return {
    pace,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('a pace of 20 %', () => {
  it('lets work begin at once for who rested', () => {
    const { pace } = paced()
    expect(pace.restMs()).toBe(0)
    pace.spend(99)
    expect(pace.restMs()).toBe(0)
  })

  it('asks for four times as much rest as work, and one more piece than was saved', () => {
    const { pace, pass } = paced()
    pace.spend(110)
    expect(pace.restMs()).toBe(50)
    pass(50.01)
    expect(pace.restMs()).toBe(0)
    pace.spend(10)
    pass(10)
    expect(pace.restMs()).toBeCloseTo(40, 0)
  })

  it('saves no more than its limit, and owes no more', () => {
    const { pace, pass } = paced()
    pass(1e9)
    expect(pace.restMs()).toBe(0)
    pace.spend(200)
    expect(pace.restMs()).toBe(500)
    pace.spend(1e9)
    expect(pace.restMs()).toBe(500)
  })
})
