import { describe, expect, it } from 'vitest'
import { keyCode } from '../../../src/shell/bash/key-codes.ts'
import { ScreenGrid } from '../../../src/shell/screen/screen-grid.ts'
import { WholeScreen } from '../../../src/shell/screen/whole-screen.ts'

function grid(...texts: string[]): ScreenGrid {
  const made = new ScreenGrid({ columns: 10, rows: 4 })
  for (const text of texts) made.write(Buffer.from(text))
  return made
}

function shown(...texts: string[]): string {
  return grid(...texts)
    .view()
    .lines.join('|')
}

describe('the screen of a program', () => {
  it.each([
    ['cells anywhere', '\x1b[2;3Hb\x1b[1;1Ha', 'a|  b'],
    ['a line that is too long', '0123456789ab', '0123456789|ab'],
    ['scrolling', '1\r\n2\r\n3\r\n4\r\n5', '2|3|4|5'],
    ['scrolling within a part', '1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\n', '1|3||4'],
    ['scrolling back', '1\r\n2\x1b[H\x1bM', '|1|2'],
    ['lines put in and taken out', '1\r\n2\r\n3\x1b[2;1H\x1b[Lx\x1b[1;1H\x1b[M', 'x|2|3'],
    ['characters put in, taken out and erased', 'abcdef\x1b[3G\x1b[2@\x1b[1G\x1b[P\x1b[5G\x1b[2X', 'b  c  f'],
    ['what is erased below, above and everywhere', 'a\r\nb\r\nc\x1b[2;1H\x1b[J', 'a|'],
    ['everything erased', 'a\r\nb\x1b[2J', '|'],
    ['tabs and backspaces', 'a\tb\bc', 'a       c'],
    ['frames', '\x1b(0lqk\x1b(B-', '┌─┐-'],
    ['wide characters', '漢字x\x1b[5GX', '漢字X'],
    ['a character again', 'a\x1b[3b', 'aaaa'],
    ['a place that was kept', 'ab\x1b7cd\x1b8X', 'abXd'],
    ['colours, titles and what nobody knows', '\x1b[1;31ma\x1b]0;t\x07b\x1b[?2004h\x1b[>c', 'ab'],
  ])('%s', (_name, text, lines) => {
    expect(shown(text)).toBe(lines)
  })

  it('is the same however what was printed is cut into pieces', () => {
    const text = '\x1b[2;3Hä漢\x1b]0;title\x1b\\\x1b[1;1H\x1b[31mx'
    const bytes = Buffer.from(text)
    const cut = new ScreenGrid({ columns: 10, rows: 4 })
    for (const byte of bytes) cut.write(Buffer.from([byte]))
    expect(cut.view()).toEqual(grid(text).view())
  })

  it('tells where the cursor is, and keeps what fits when its size changes', () => {
    const made = grid('one\r\ntwo')
    expect(made.view().cursor).toEqual({ row: 1, column: 3 })
    made.resize({ columns: 2, rows: 1 })
    expect(made.view()).toEqual({ lines: ['on'], cursor: { row: 0, column: 1 } })
  })
})

describe('a program that takes the whole screen', () => {
  const taking = (): { whole: WholeScreen; take: (text: string) => string } => {
    const whole = new WholeScreen({ columns: 20, rows: 4 })
    return { whole, take: (text) => whole.take(Buffer.from(text)).toString() }
  }

  it('what it draws is no output, and goes with its screen', () => {
    const { whole, take } = taking()
    expect(take('before\n\x1b[?1049h\x1b[2;2Hdrawn')).toBe('before\n')
    expect(whole.view()?.lines).toEqual(['', ' drawn'])
    expect(take('\x1b[?1049lafter')).toBe('after')
    expect(whole.isOn).toBe(false)
    expect(whole.end().toString()).toBe('')
  })

  it('without a screen of its own it is one that goes home with its cursor hidden; what it showed last stays', () => {
    const { whole, take } = taking()
    expect(take('\x1b[?25l\x1b[Hone\r\ntwo\x1b[HONE')).toBe('')
    expect(whole.view()?.lines).toEqual(['ONE', 'two'])
    expect(take('\x1b[?25h$ ')).toBe('ONE\ntwo\n$ ')
    expect(take('\x1b[?25l\x1b[Hx')).toBe('')
    expect(whole.end().toString()).toBe('x\n')
    // Nor is its first line lost where it leaves below the last, as top does.
    whole.resize({ columns: 10, rows: 2 })
    expect(take('\x1b[?25l\x1b[Hold\r\nold\r\nold\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[3;1H\r\n')).toBe('')
    expect(take('\x1b[?25h$ ')).toBe('one\ntwo\n\n$ ')
  })

  it('a spinner and `clear` are none', () => {
    const { whole, take } = taking()
    const text = '\x1b[?25l|\b/\x1b[?25h\x1b[H\x1b[2Jtext'
    expect(take(text)).toContain('text')
    expect(whole.isOn).toBe(false)
  })

  it('signs that are cut in the middle are found', () => {
    const { whole, take } = taking()
    expect(['a\x1b', '[?10', '49', 'hb\x1b[?1', 'h'].map(take).join('')).toBe('a')
    expect(whole.view()?.lines).toEqual(['b'])
    expect(whole.hasOwnKeys).toBe(true)
  })
})

describe('keys by name', () => {
  it.each([
    ['q', 'q'],
    ['ä', 'ä'],
    [':', ':'],
    ['Enter', '\r'],
    ['space', ' '],
    ['ctrl-c', '\x03'],
    ['ctrl-]', '\x1d'],
    ['alt-X', '\x1bX'],
    ['up', '\x1b[A'],
    ['f5', '\x1b[15~'],
    ['f12', '\x1b[24~'],
    ['nope', null],
    ['ctrl-', null],
  ])('%s', (name, code) => {
    expect(keyCode(name, false)).toBe(code)
  })

  it('arrows send what the program asked for', () => {
    expect(keyCode('up', true)).toBe('\x1bOA')
  })
})
