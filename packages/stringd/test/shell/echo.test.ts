import { describe, expect, it } from 'vitest'
import { Echo } from '../../src/shell/echo.ts'

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
