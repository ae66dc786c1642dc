import { expect, it } from 'vitest'
import { shownLine, shownText } from '../../src/text/shown.ts'

it('what cannot be seen, or would turn its neighbours around, is written out', () => {
  expect(shownLine('a\u202eb\u200bc\u001b[31md\ne\tf')).toBe('a\\u202eb\\u200bc\\x1b[31md\\ne\\tf')
  expect(shownText('a\u202eb\ne\tf')).toBe('a\\u202eb\ne\tf')
})

it('letters keep the marks that languages have, and no piles of them', () => {
  const vietnamese = 'Tiếng Việt'.normalize('NFD')
  expect(shownText(vietnamese)).toBe(vietnamese)
  expect(shownText(`Z${'\u0301'.repeat(400)}algo`)).toBe(`Z${'\u0301'.repeat(6)}…algo`)
})
