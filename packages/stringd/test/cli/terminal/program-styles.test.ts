import { describe, expect, it } from 'vitest'
import { fitStyled, safeStyled, visibleStyled, wrapStyled } from '../../../src/cli/terminal/program-styles.ts'

describe('what a program printed, on a terminal', () => {
  it('S24: keeps its styles, and makes everything else visible that a terminal would obey', () => {
    expect(visibleStyled('\x1b[1;31mred\x1b[0m\nplain')).toBe('\x1b[1;31mred\x1b[0m\nplain')
    expect(visibleStyled('\x1b[31ma\x1b[2J\x1b]0;t\x07\u202e')).toBe('\x1b[31ma\\x1b[2J\\x1b]0;t\\x07\\u202e\x1b[0m')
    expect(visibleStyled('\x1b[>4;2m\x1b[?4m\x1b[1!m')).toBe('\\x1b[>4;2m\\x1b[?4m\\x1b[1!m')
    expect(visibleStyled('a\x1b[2J')).toBe('a\\x1b[2J')
  })

  it('is broken at the edge, and goes on below with the style it had', () => {
    expect(wrapStyled('abcdef', 3)).toEqual(['abc', 'def'])
    expect(wrapStyled('a世b', 2)).toEqual(['a', '世', 'b'])
    expect(wrapStyled('a\x1b[31mbcd\x1b[0mef', 3)).toEqual(['a\x1b[31mbc\x1b[0m', '\x1b[31md\x1b[0mef'])
    expect(wrapStyled('', 3)).toEqual([''])
    expect(wrapStyled('a\x07b', 80)).toEqual([safeStyled('a\x07b')])
  })

  it('is cut to the width of a line by what is seen of it, and closed there', () => {
    expect(fitStyled('\x1b[31mred\x1b[0m and more', 12)).toBe('\x1b[31mred\x1b[0m and more')
    expect(fitStyled('\x1b[31mred\x1b[0m and more', 6)).toBe('\x1b[31mred\x1b[0m a…')
    expect(fitStyled('\x1b[31m漢字\x1b[0;1mx\x1b[0m', 4)).toBe('\x1b[31m漢\x1b[0;1m\x1b[0m…')
    expect(fitStyled('\x1b[7mbar\x1b[0m\x1b[7m\x1b[0m', 6)).toBe('\x1b[7mbar\x1b[0m\x1b[7m   \x1b[0m')
    expect(fitStyled('plain text', 6)).toBe('plain…')
  })
})
