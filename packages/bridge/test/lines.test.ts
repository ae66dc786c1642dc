import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { LineSplitter } from '../src/lines.ts'

interface Line {
  readonly line: string
  readonly wasCut: boolean
}

function split(chunks: readonly Uint8Array[], limitBytes = 1_000): Line[] {
  const found: Line[] = []
  const splitter = new LineSplitter(limitBytes, {
    line: (line, wasCut) => found.push({ line, wasCut }),
    lines: () => false,
  })
  for (const chunk of chunks) splitter.write(Buffer.from(chunk))
  splitter.end()
  return found
}

const lines = (text: string, limitBytes?: number) => split([Buffer.from(text)], limitBytes).map(({ line }) => line)

/** Bytes in which line ends, halves of characters and plain text are frequent. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', 'a', 'bc', 'ü', '😀', '').map((text) => Buffer.from(text)),
      fc.constantFrom([0xff], [0xc3], [0xf0, 0x9f], [0x80], [0xe2, 0x82]).map((list) => Buffer.from(list)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts))

describe('lines', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['\n\n', ['', '']],
    ['a\r\n\r\nb\r', ['a', '', 'b']],
    ['a\rb\n', ['a\rb']],
    ['\ufeffa\n', ['\ufeffa']],
  ])('of %j', (text, expected) => {
    expect(lines(text)).toEqual(expected)
  })

  it('are the same wherever the bytes are cut', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat({ max: 80 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 12 }),
        (all, cuts, limit) => {
          const places = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length]
          const chunks = places.slice(1).map((end, index) => all.subarray(places[index], end))
          for (const most of [limit, 1_000]) expect(split(chunks, most)).toEqual(split([all], most))
        },
      ),
    )
  })

  it('are what decoding everything at once gives', () => {
    fc.assert(
      fc.property(bytes, (all) => {
        const expected = all.toString().split(/\r?\n/)
        const last = expected.pop() ?? ''
        // A CR at the very end is taken for that of a line end whose LF is missing.
        if (last !== '') expected.push(last.replace(/\r$/, ''))
        expect(split([all]).map(({ line }) => line)).toEqual(expected)
      }),
    )
  })

  it('longer than the limit are cut between characters, and said to be', () => {
    expect(split([Buffer.from('üüüü\nab\n')], 5)).toEqual([
      { line: 'üü', wasCut: true },
      { line: 'ab', wasCut: false },
    ])
    expect(split([Buffer.from('abcde\r\nabcdef\r\n')], 5)).toEqual([
      { line: 'abcde', wasCut: false },
      { line: 'abcde', wasCut: true },
    ])
  })

  it('that never end take no more than the limit', () => {
    const splitter = new LineSplitter(100_000, { line: () => {}, lines: () => false })
    for (let count = 0; count < 1_000; count += 1) splitter.write(Buffer.alloc(65_536, 'x'))
    expect(splitter.retainedBytes).toBeLessThanOrEqual(100_001)
  })

  it('in many small pieces are put together', () => {
    const found: string[] = []
    const handler = { line: (line: string) => void found.push(line), lines: () => false }
    const splitter = new LineSplitter(10_000_000, handler)
    for (let count = 0; count < 200_000; count += 1) splitter.write(Buffer.from('x'))
    splitter.end()
    expect(found.map((line) => line.length)).toEqual([200_000])
  })
})
