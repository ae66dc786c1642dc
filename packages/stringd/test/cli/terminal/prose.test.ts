import { describe, expect, it } from 'vitest'
import { prose } from '../../../src/cli/terminal/prose.ts'

const NARROW = { isTTY: true, columns: 20 }

describe('sentences of our own on a terminal', () => {
  it.each([
    ['what fits stays as it is', 'short   and\n  indented', 'short   and\n  indented'],
    [
      'what does not is broken between words',
      'The agent failed with exit code 3.',
      'The agent failed\nwith exit code 3.',
    ],
    ['indented as it was', '  string agent add bob gives it', '  string agent add\n  bob gives it'],
    [
      'a word that is too wide is left to the terminal',
      'see /a/very/long/path/indeed now',
      'see\n/a/very/long/path/indeed\nnow',
    ],
    ['by the width of its characters', '漢字漢字漢字 漢字漢字', '漢字漢字漢字\n漢字漢字'],
  ])('%s', (_name, text, shown) => {
    expect(prose(text, NARROW)).toBe(shown)
  })

  it('a row of two columns goes on in its second one, where there is room for it', () => {
    const row = '/session [NAME]   show the session, or switch to another'
    expect(prose(row, { isTTY: true, columns: 40 })).toBe(
      '/session [NAME]   show the session, or\n                  switch to another',
    )
    expect(prose('/new   begin this session anew', NARROW)).toBe('/new begin this\nsession anew')
  })

  it('in a pipe they are lines as they are', () => {
    const text = 'a sentence that is longer than twenty columns'
    expect(prose(text, { isTTY: false, columns: 20 })).toBe(text)
    expect(prose(text, {})).toBe(text)
  })
})
