import { describe, expect, it } from 'vitest'
import { textPart } from '../../src/text/parts.ts'

describe('a long text', () => {
  it('that fits is shown whole', () => {
    expect(textPart('short', 1)).toEqual({ shown: 'short', left: 0 })
  })

  it('is shown in parts of 64 KB, and nothing is lost between them', () => {
    const text = 'x'.repeat(150_000)
    const [first, second, third] = [1, 2, 3].map((parts) => textPart(text, parts))
    expect([first?.shown.length, second?.shown.length, third?.shown.length]).toEqual([65_536, 131_072, 150_000])
    expect([first?.left, second?.left, third?.left]).toEqual([84_464, 18_928, 0])
  })

  it('is cut at the end of a line where one is near, and never in a character', () => {
    expect(textPart(`${'x'.repeat(65_000)}\n${'y'.repeat(9_000)}`, 1).shown.endsWith('x\n')).toBe(true)
    expect(textPart(`x${'😀'.repeat(40_000)}`, 1).shown.isWellFormed()).toBe(true)
  })
})
