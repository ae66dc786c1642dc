import { LIMITS, withoutStyles } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { Output } from '../../../src/shell/output/output.ts'
import { OutputRoom } from '../../../src/shell/output/output-room.ts'
import { ScreenGrid } from '../../../src/shell/screen/screen-grid.ts'
import { alignedText, screenText, styledScreenText } from '../../../src/shell/screen/screen-text.ts'

/** A line that begins and ends without a style, and holds nothing else that a terminal obeys. */
const STYLED = /^(?:␛\[[1-9][\d;]*m(?:[^\p{Cc}␛]|␛\[0;[1-9][\d;]*m)+␛\[0m|[^\p{Cc}␛])*(?:␛\[[1-9][\d;]*m␛\[0m)?$/u

function visible(text: string | null): string {
  return (text ?? '').replaceAll('\x1b', '␛')
}

function expectStyled(text: string): void {
  for (const line of text.split('\n')) expect(visible(line)).toMatch(STYLED)
}

const WORDS = [' ', '   ', 'word', 'é漢👩‍👩‍👧', 'e\u0301', '\ud83d\ude00'] as const
const CONTROLS = [
  '\n \r \r\n \b \t \x07 \x00 \x9b31m \x1b[K \x1b[1K \x1b[2K \x1b[2A \x1b[B \x1b[5C \x1b[3D \x1b[4G \x1b[9999G \x1b[2;7H',
  '\x1b]0;title\x07 \x1b]8;;http://x\x1b\\ \x1b]52;c;eA==\x07 \x1bP1$r0m\x1b\\ \x1b(0 \x1bc \x1b \x1b[3 \x1b[2J',
  '\x1b[>4;2m \x1b[?4m \x1b[1!m \x1b[31 \x1b[?1049h \x1b[m \x1b[0m \x1b[39;49m',
].flatMap((row) => row.split(' '))

const piece = fc.oneof(
  fc.constantFrom(...CONTROLS, ...WORDS),
  fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 8 }).map((numbers) => `\x1b[${numbers.join(';')}m`),
  fc.constantFrom('1', '4:3', '38;5;9', '48:2::1:2:3', '38;2;1', '7;31', '22', '0;1').map((style) => `\x1b[${style}m`),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('␛', '')),
)
const printed = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

function outputOf(text: string): Output {
  const output = new Output(null, new OutputRoom())
  output.add(Buffer.from(text))
  output.end()
  return output
}

describe('what a program printed, with its styles', () => {
  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m plain', '\x1b[1;31mred\x1b[0m plain'],
    ['one way of writing them', '\x1b[31m\x1b[1ma\x1b[22mb\x1b[mc', '\x1b[1;31ma\x1b[0;31mb\x1b[0mc'],
    ['many colours', '\x1b[38;5;208;48;2;1;2;3ma\x1b[49mb', '\x1b[38;5;208;48;2;1;2;3ma\x1b[0;38;5;208mb\x1b[0m'],
    ['colours with colons', '\x1b[38:2::1:2:3ma\x1b[38:5:7mb', '\x1b[38;2;1;2;3ma\x1b[0;38;5;7mb\x1b[0m'],
    ['underlines of all kinds', '\x1b[4:3;58;5;9ma\x1b[4:0mb\x1b[21mc', '\x1b[4ma\x1b[0mb\x1b[4mc\x1b[0m'],
    ['styles over line ends', '\x1b[32ma\nb\n\nc', '\x1b[32ma\x1b[0m\n\x1b[32mb\x1b[0m\n\n\x1b[32mc\x1b[0m'],
    ['text written over', '\x1b[31mabc\r\x1b[32mX', '\x1b[32mX\x1b[0;31mbc\x1b[0m'],
    ['blanks at the end', '\x1b[41mab   \x1b[0m  ', '\x1b[41mab\x1b[0m'],
    ['hidden and blinking text', '\x1b[8ma\x1b[5;31mb', 'a\x1b[31mb\x1b[0m'],
    ['sequences that only end alike', '\x1b[>4;2m\x1b[?4m\x1b[1 ma', 'a'],
    ['colours that are none', '\x1b[38;5;999ma\x1b[38;2;1mb\x1b[38mc\x1b[38;5md', 'abcd'],
    [
      'titles, links, the clipboard and bells',
      '\x1b]52;c;eA==\x07\x1b]8;;http://x\x1b\\a\x07\x1b]0;t\x07\x1b[2Jb',
      'ab',
    ],
  ])('%s', (_name, output, shown) => {
    expect(styledScreenText(output)).toBe(shown)
    expect(withoutStyles(shown)).toBe(screenText(output))
  })

  it('is the plain text and styles, whatever was printed, with each style closed in its line', () => {
    fc.assert(
      fc.property(printed, (text) => {
        const styled = styledScreenText(text)
        expect(withoutStyles(styled)).toBe(alignedText(text))
        expectStyled(styled)
      }),
      { numRuns: 500 },
    )
  })

  it('is cut where the plain text is, and what is open there is closed', () => {
    fc.assert(
      fc.property(
        printed,
        fc.integer({ min: 300, max: 700 }),
        fc.integer({ min: 1, max: 40 }),
        (text, limit, times) => {
          const output = outputOf(text.repeat(times))
          const styled = output.styled(limit)
          if (styled !== null) expect(withoutStyles(styled)).toBe(output.onTerminal(limit).text)
          expectStyled(styled ?? '')
        },
      ),
      { numRuns: 300 },
    )
    const long = outputOf(`\x1b[31m${'x'.repeat(3_000)}`)
    expect(visible(long.styled(1_024))).toMatch(/^␛\[31mx+␛\[0m\n… \d+ bytes left out; .* …\nx+$/)
    const short = outputOf(`\x1b[31m${'x'.repeat(1_500)}`)
    expect(visible(short.styled(1_024))).toMatch(/…\n␛\[31mx+␛\[0m$/)
  })

  it('is none where nothing has a style, and where there are more than anybody wants to get', () => {
    expect(outputOf('plain \x1b[K\x1b[0m text').styled(1_024)).toBeNull()
    const short = '\x1b[31mx\x1b[32mx'.repeat(10_000)
    expect(outputOf(short).styled(LIMITS.answerBytes)).not.toBeNull()
    expect(outputOf(`\x1b[1;2;3;4;7;9;48;2;255;255;255m${short}`).styled(LIMITS.answerBytes)).toBeNull()
  })

  it('S20: takes long lines and very many styles in linear time', () => {
    for (const text of [`\x1b[1m${'x'.repeat(100_000)}`, '\x1b[31mx'.repeat(30_000), `\x1b[${'1;'.repeat(100_000)}mx`])
      expect(withoutStyles(styledScreenText(text)) === screenText(text)).toBe(true)
  })

  it('stands on the screen of a program, too, wherever its cells go', () => {
    const grid = new ScreenGrid({ columns: 10, rows: 4 })
    grid.write(Buffer.from('\x1b[7mtop\x1b[m\x1b[2;2H\x1b[31m漢\x1b[1mb\x1b[0m\x1b[1;1H\x1b[Lnew'))
    const view = grid.view()
    expect(view.lines).toEqual(['new', 'top', ' 漢b'])
    expect(view.styled()).toEqual(['new', '\x1b[7mtop\x1b[0m', ' \x1b[31m漢\x1b[0;1;31mb\x1b[0m'])
    grid.write(Buffer.from('\x1b[2J\x1b[Hplain'))
    expect(grid.view().styled()).toBeNull()
    // What goes on to the edge is told by a style without a text: bars, and what is erased in a colour.
    grid.write(Buffer.from('\x1b[H\x1b[7mbar       \x1b[m\r\n\x1b[31;44mx\x1b[K\x1b[m\r\n\x1b[7mend\x1b[m\x1b[K'))
    expect(grid.view().lines).toEqual(['bar', 'x', 'end'])
    expect(grid.view().styled()).toEqual([
      '\x1b[7mbar\x1b[0m\x1b[7m\x1b[0m',
      '\x1b[31;44mx\x1b[0m\x1b[44m\x1b[0m',
      '\x1b[7mend\x1b[0m',
    ])
  })

  it('is the plain screen and styles, whatever a program draws', () => {
    fc.assert(
      fc.property(printed, (text) => {
        const grid = new ScreenGrid({ columns: 12, rows: 5 })
        grid.write(Buffer.from(text))
        const view = grid.view()
        const shown = view.styled()
        if (shown !== null) expect(shown.map(withoutStyles)).toEqual(view.lines)
        expectStyled((shown ?? []).join('\n'))
      }),
      { numRuns: 300 },
    )
  })
})
