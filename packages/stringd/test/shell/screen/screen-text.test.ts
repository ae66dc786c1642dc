import { describe, expect, it } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { alignedText, screenText } from '../../../src/shell/screen/screen-text.ts'

describe('S24: what a terminal shows in the end', () => {
  it.each([
    ['plain text', 'a\nb\n', 'a\nb'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb'],
    ['colours', '\x1b[1;31mred\x1b[0m plain', 'red plain'],
    ['a progress bar', '10%\r50%\r100%\ndone', '100%\ndone'],
    ['a shorter text over a longer one', 'working hard\rdone', 'doneing hard'],
    ['a line erased and written again', 'working hard\r\x1b[Kdone', 'done'],
    ['a line erased as a whole', 'abc\x1b[2Kdef', '   def'],
    ['backspaces', 'abd\bc', 'abc'],
    ['a spinner', '|\b/\b-\b\\\b done', ' done'],
    ['cursor up and over', 'one\ntwo\n\x1b[2A\x1b[KONE\n\x1b[KTWO\n', 'ONE\nTWO'],
    ['cursor columns', 'abcdef\x1b[3GX\x1b[2DY', 'aYXdef'],
    ['tabs', 'a\tb\n\tc\t\td', 'a\tb\n\tc\t\td'],
    ['tabs in colours', '\x1b[31ma\tb\x1b[0m\tc', 'a\tb\tc'],
    ['tabs that something is written over', 'a\tb\rXX', 'XX      b'],
    ['tabs behind which something is erased', 'a\tb\x1b[2D\x1b[Kc', 'a      c'],
    ['tabs behind a move', 'a\x1b[2C\tb', 'a       b'],
    ['titles and links', '\x1b]0;title\x07text \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'text link'],
    ['wide and combining characters', 'é 漢字 👩‍👩‍👧 e\u0301x\rE', 'E 漢字 👩‍👩‍👧 e\u0301x'],
    ['bells and other controls', 'a\x07\x00\x1b(Bb\x9d', 'ab'],
    ['an escape that is cut off', 'abc\x1b[3', 'abc'],
    ['trailing blanks', 'a   \nb \n\n\n', 'a\nb'],
    ['nothing', '', ''],
  ])('%s', (_name, output, shown) => {
    expect(screenText(output)).toBe(shown)
  })

  it('bounds columns and rows whatever is asked for', () => {
    expect(screenText(`\x1b[999999999Cx\x1b[999999999Ay\x1b[999999999Bz`).length).toBeLessThan(20_100)
    expect(screenText('x'.repeat(50_000))).toBe('x'.repeat(50_000))
  })

  it('S20: takes long lines of other letters, and very many empty ones, in linear time', () => {
    for (const line of [
      `ä${'x'.repeat(300_000)}`,
      'é漢e\u0301'.repeat(50_000),
      '\u0301'.repeat(100_000),
      `${'\n'.repeat(200_000)}x`,
    ])
      expect(screenText(line) === line).toBe(true)
  })

  it.each([
    ['columns far to the right', '\x1b[9999Cx'],
    ['columns far to the right, each in a line of its own', '\x1b[9999Gx\n'],
    ['tabs', '\tx\n'],
    ['lines erased and begun again', '\x1b[2K\x1b[9999Gx'],
    ['beginnings of lines erased', 'x\x1b[9999C\x1b[1K'],
    ['columns of a screen', '\x1b[1;9999Hx\x1b[A'],
  ])('S30: makes of %s no more than nine times what was printed', (_name, piece) => {
    const output = piece.repeat(Math.floor((256 * 1024) / piece.length))
    expect(screenText(output).length).toBeLessThanOrEqual(9 * output.length)
  })
})

it('what nothing moves about in is the same with and without a terminal to draw it', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r\r\n',
      ' ',
      '  \n',
      '\t',
      '\r',
      '\b',
      '\u0301',
      '\ufeff',
      '\u2028',
      '\ud83d',
      '表',
    ),
  )
  const printed = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(printed, (text) => {
      // A style is nothing to see, and has to be drawn.
      expect(screenText(text)).toBe(screenText(`\x1b[m${text}`))
      expect(alignedText(text)).toBe(alignedText(`\x1b[m${text}`))
    }),
  )
})
