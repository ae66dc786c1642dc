import { describe, expect, it } from 'vitest'
import { Echo } from '../../../src/shell/bash/echo.ts'
import { TypedEcho, type TypedPlace } from '../../../src/shell/bash/typed-echo.ts'

describe('the line that a terminal shows', () => {
  const line = " __string_take ':'; rest\n"
  const shown = " __string_take ':'; rest\r\n"
  const leftOf = (isFirst: boolean, chunks: readonly string[]): string => {
    const echo = new Echo(line, isFirst)
    return [...chunks.map((chunk) => echo.without(Buffer.from(chunk))), echo.rest()].join('')
  }

  it.each([
    ['whole', [`${shown}out`], 'out'],
    ['in pieces', [shown.slice(0, 15), shown.slice(15, 20), `${shown.slice(20)}out`], 'out'],
    ['not at all', ['out', 'more'], 'outmore'],
    ['once', [shown, shown], shown],
    ['not what only begins like it', [' ', '__string'], ' __string'],
    ['not what goes on otherwise', [' __string_take', ' it'], ' __string_take it'],
    ['letter by letter', [...shown.split(''), 'out'], 'out'],
    ['not behind what a program prints', ['out\r\n', shown], `out\r\n${shown}`],
  ])('is left out: %s', (_what, chunks, output) => expect(leftOf(true, chunks)).toBe(output))

  it.each([
    ['in one piece', [`job\r\n${shown}out`], 'job\r\nout'],
    ['in pieces', ['job', ` ${shown.slice(0, 5)}`, `${shown.slice(5)}out`], 'job out'],
    ['once', [`job${shown}`, shown], `job${shown}`],
    ['not what only begins like it', ['job ', ' __'], 'job  __'],
  ])('is left out behind what jobs print: %s', (_what, chunks, output) => expect(leftOf(false, chunks)).toBe(output))
})

describe('the line that a program with its own editor shows', () => {
  const place: TypedPlace = { asked: '', size: { columns: 40, rows: 10 }, end: '\r\r\n', isEchoed: false }
  const leftAt = (where: TypedPlace, text: string, chunks: readonly string[]): string[] => {
    const echo = new TypedEcho(text, where)
    return [...chunks.map((chunk) => echo.without(Buffer.from(chunk))), echo.rest()].map(String)
  }
  const left = (text: string, ...chunks: string[]): string[] => leftAt(place, text, chunks)

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

  it.each([
    [
      'as fish paints it, from the column behind its prompt',
      'ls',
      ['ls\r\x1b[7C', '\b\b\x1b[34mls\r\x1b[7C\r\nout'],
      ['', 'out', ''],
    ],
    ['broken at the edge', 'a'.repeat(40), [`${'a'.repeat(35)} \r${'a'.repeat(5)}\r\r\n1`], ['1', '']],
  ])('is left out behind what was asked: %s', (_what, text, chunks, output) =>
    expect(leftAt({ ...place, asked: 'me: #' }, text, chunks)).toEqual(output),
  )

  it.each([
    ['as the terminal shows it', '2', ['2\r\n2\r\n>>> '], ['2\r\n>>> ', '']],
    ['line by line', 'a\nb', ['a\r\nb\r\n', 'a\r\nb\r\n'], ['', 'a\r\nb\r\n', '']],
    ['an empty one', '', ['\r\n>>> '], ['>>> ', '']],
    ['not an empty line of the answer', '2', ['\r\nout'], ['\r\nout', '']],
    ['nothing that is printed first', '2', ['3\r\n2\r\n'], ['3\r\n2\r\n', '']],
  ])('is left out where the terminal echoes: %s', (_what, text, chunks, output) =>
    expect(leftAt({ ...place, isEchoed: true }, text, chunks)).toEqual(output),
  )

  it.each([
    ['as readline does, which shows what the terminal did', '1+1', ['1+1\r\n2\r\n'], ['2\r\n', '']],
    ['not as node does, which shows it anyway', '1+1', ['1+1\r\r\n2\r\n'], ['1+1\r\r\n2\r\n', '']],
  ])('is left out for who sees what editors show: %s', (_what, text, chunks, output) =>
    expect(leftAt({ ...place, isEchoed: true, isEditorSeen: true }, text, chunks)).toEqual(output),
  )
})
