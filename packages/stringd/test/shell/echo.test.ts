import { describe, expect, it } from 'vitest'
import { Echo } from '../../src/shell/echo.ts'
import { TypedEcho } from '../../src/shell/typed-echo.ts'

describe('the line that a terminal shows', () => {
  const line = " __string_take ':'; rest\n"
  const shown = " __string_take ':'; rest\r\n"
  const left = (...chunks: string[]): string => {
    const echo = new Echo(line)
    return chunks.map((chunk) => echo.without(Buffer.from(chunk)).toString()).join('')
  }

  it.each([
    ['whole', [`${shown}out`], 'out'],
    ['in pieces', [shown.slice(0, 15), shown.slice(15, 20), `${shown.slice(20)}out`], 'out'],
    ['not at all', ['out', 'more'], 'outmore'],
    ['once', [shown, shown], shown],
    ['what only begins like it', [' ', '__string'], ' __string'],
    ['what goes on otherwise', [' __string_take', ' it'], ' it'],
  ])('is left out: %s', (_what, chunks, output) => expect(left(...chunks)).toBe(output))
})

describe('the line that a program with its own editor shows', () => {
  const left = (text: string, ...chunks: string[]): string[] => {
    const echo = new TypedEcho(text, '\r\r\n')
    return [...chunks.map((chunk) => echo.without(Buffer.from(chunk))), echo.rest()].map(String)
  }

  it.each([
    ['as node shows it', '1+1', ['1+1\r\r\n2\r\n> '], ['2\r\n> ', '']],
    ['in pieces', ' 5)', [' 5', ')\r', '\r\nout'], ['', '', 'out', '']],
    ['only its end, as bash does', 'ls', ['\x1b[?2004l\r\r\nout\r\n'], ['out\r\n', '']],
    ['once', '2', ['2\r\r\n', '2\r\r\n'], ['', '2\r\r\n', '']],
    ['not the same that is printed as an answer', '2', ['2\r\n>>> '], ['2\r\n>>> ', '']],
    ['not an empty line of the answer', '2', ['\r\nout'], ['\r\nout', '']],
    ['nothing else', 'ab', ['a', 'c\r\r\n'], ['', 'ac\r\r\n', '']],
    ['nothing that comes to no end', 'y', ['y'], ['', 'y']],
  ])('is left out: %s', (_what, text, chunks, output) => expect(left(text, ...chunks)).toEqual(output))
})
