import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { bothEnds, firstBytes, lastBytes, shortened } from '../../src/shell/both-ends.ts'

const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '☃', '😀', ' '), maxLength: 200 })

describe('both ends of a text', () => {
  it('are a beginning and an end of it, whole characters, and no more than was asked for', () => {
    fc.assert(
      fc.property(text, fc.nat(120), (whole, limit) => {
        const [first, last] = [firstBytes(whole, limit), lastBytes(whole, limit)]
        expect(whole.startsWith(first) && whole.endsWith(last)).toBe(true)
        expect(first.isWellFormed() && last.isWellFormed()).toBe(true)
        expect(Math.max(Buffer.byteLength(first), Buffer.byteLength(last))).toBeLessThanOrEqual(limit)
        if (Buffer.byteLength(whole) <= limit) expect([first, last]).toEqual([whole, whole])
      }),
    )
  })

  it('leave out what they say they do', () => {
    fc.assert(
      fc.property(text, fc.nat(120), (whole, limit) => {
        fc.pre(Buffer.byteLength(whole) > limit)
        const { head, tail, leftBytes } = bothEnds(whole, limit)
        const middle = whole.slice(head.length, whole.length - tail.length)
        expect(Buffer.byteLength(middle)).toBe(leftBytes)
      }),
    )
  })

  it('end and begin at a line, where that leaves most of them', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n')
    const { head, tail, leftBytes } = bothEnds(lines, 50)
    expect(shortened({ head, tail, leftBytes }, 'gone')).toBe(
      `line 0\nline 1\nline 2\n… ${leftBytes} bytes left out; gone …\nline 47\nline 48\nline 49`,
    )
    expect(bothEnds(`a\n${'b'.repeat(100)}\nc`, 20)).toEqual({
      head: 'a\nbbbbbbbb',
      tail: 'bbbbbbbb\nc',
      leftBytes: 84,
    })
  })
})
