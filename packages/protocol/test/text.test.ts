import { describe, expect, it } from 'vitest'
import { unseenIn, visibleLine, visibleText } from '../src/index.ts'

describe('the joiner of an emoji', () => {
  it.each(['👩\u200d👩\u200d👧', '👩🏽\u200d🚀', '👁\ufe0f\u200d🗨\ufe0f', '🏳\ufe0f\u200d🌈', '❤\ufe0f'])(
    'stays within %s',
    (emoji) => {
      expect(visibleText(`a ${emoji} b`)).toBe(`a ${emoji} b`)
      expect(visibleLine(emoji)).toBe(emoji)
      expect(unseenIn(emoji)).toBeNull()
    },
  )

  it.each([
    ['between letters', 'a\u200db', 'a\\u200db'],
    ['behind an emoji', '👩\u200d', '👩\\u200d'],
    ['between an emoji and a letter', '👩\u200da', '👩\\u200da'],
    ['between a letter and an emoji', 'a\u200d👩', 'a\\u200d👩'],
    ['more than once', '👩\u200d\u200d👧', '👩\\u200d\\u200d👧'],
    ['at a digit', '1\ufe0f\u200d2', '1\ufe0f\\u200d2'],
  ])('is seen %s, as all that is hidden', (_where, text, shown) => {
    expect(visibleText(text)).toBe(shown)
    expect(visibleLine(text)).toBe(shown)
    expect(unseenIn(text)).not.toBeNull()
  })
})
