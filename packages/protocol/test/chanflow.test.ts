import {
  ChanFlowDecoder,
  type ChanFlowItem,
  decodeChanFlow,
  encodeBlock,
  escapeTags,
  LIMITS,
  unescapeTags,
} from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { loadCases } from './cases.ts'

const { cases } = loadCases<{ cases: { cites: string; text: string; items: ChanFlowItem[] }[] }>('chanflow')

/** Texts next to each other are one text: how much comes at once depends on the cuts. */
function joined(items: readonly ChanFlowItem[]): ChanFlowItem[] {
  const result: ChanFlowItem[] = []
  for (const item of items) {
    const last = result.at(-1)
    if (item.type === 'text' && last?.type === 'text')
      result[result.length - 1] = { type: 'text', text: last.text + item.text }
    else result.push(item)
  }
  return result
}

function decodePieces(pieces: readonly (string | Uint8Array)[]): ChanFlowItem[] {
  const decoder = new ChanFlowDecoder()
  return joined([...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()])
}

/** Text made of what tags are made of, so that near misses are common. */
const tagLike = fc.string({
  unit: fc.constantFrom(
    '<',
    '𝒞',
    '</𝒞>',
    '<𝒞=string:a>',
    '<𝒞=b x=y>',
    '\\',
    '/',
    '=',
    ':',
    '>',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '```',
    '~~~',
    'x',
    '"',
    '\ud835',
    '\udc9e',
    '/open',
  ),
  maxLength: 40,
})

describe('the decoder', () => {
  it.each(cases)('$cites', ({ text, items }) => {
    expect(joined(decodeChanFlow(text))).toEqual(items)
  })

  it.each(cases)('gives the same when cut at every byte: $cites', ({ text, items }) => {
    const bytes = new TextEncoder().encode(text)
    expect(decodePieces([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(items)
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(decodePieces([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(items)
    }
  })

  it('gives the same for any text and any cuts, of bytes or of characters', () => {
    fc.assert(
      fc.property(tagLike, fc.array(fc.nat(12)), (text, lengths) => {
        const whole = joined(decodeChanFlow(text))
        let at = 0
        const pieces = lengths.map((length) => {
          at += length
          return text.slice(at - length, at)
        })
        expect(decodePieces([...pieces, text.slice(at)])).toEqual(whole)
        if (text.isWellFormed()) {
          const bytes = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))
          expect(decodePieces(bytes)).toEqual(whole)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('loses no character of the text outside blocks and of unclosed blocks', () => {
    fc.assert(
      fc.property(tagLike, (text) => {
        const items = decodeChanFlow(text)
        if (items.every(({ type }) => type !== 'block')) {
          expect(items.map((item) => (item.type === 'block' ? '' : item.text)).join('')).toBe(text)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('holds back nothing that cannot become a tag', () => {
    const shown = (text: string) =>
      new ChanFlowDecoder().push(text).map((item) => (item.type === 'text' ? item.text : ''))
    expect(shown('Hello <')).toEqual(['Hello <'])
    expect(shown('<b')).toEqual(['<b'])
    expect(shown('    ')).toEqual(['    '])
    expect(shown('line\n``')).toEqual(['line\n``'])
    expect(shown('```\n<𝒞=string')).toEqual(['```\n<𝒞=string'])
    expect(shown('line\n  <')).toEqual(['line\n'])
    expect(shown('<𝒞=string:a')).toEqual([])
    expect(shown('<𝒞=string:a time="x')).toEqual([])
    expect(shown('<𝒞=string:a\n')).toEqual(['<𝒞=string:a\n'])
    expect(shown(`<𝒞=string:${'a'.repeat(LIMITS.chanFlowTagChars)}`).join('').length).toBeGreaterThan(
      LIMITS.chanFlowTagChars,
    )
  })

  it('turns invalid UTF-8 into U+FFFD', () => {
    expect(decodePieces([Uint8Array.of(0xff, 0x41)])).toEqual([{ type: 'text', text: '\ufffdA' }])
  })

  it('takes a megabyte of near misses in a thousand pieces and loses none of it', () => {
    for (const unit of ['<', '<𝒞=', '\n<𝒞=a:', '</', '   \n', '<\\', '```\n', '<𝒞=a>\n']) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      const decoder = new ChanFlowDecoder()
      const items: ChanFlowItem[] = []
      for (let at = 0; at < text.length; at += 1000) items.push(...decoder.push(text.slice(at, at + 1000)))
      items.push(...decoder.end())
      expect(
        items.map((item) => (item.type === 'block' ? '' : item.text)).join('') === text,
        JSON.stringify(unit),
      ).toBe(true)
    }
  })
})

describe('escaping', () => {
  it.each([
    ['<𝒞', '<\\𝒞'],
    ['</𝒞>', '<\\/𝒞>'],
    ['<\\𝒞', '<\\\\𝒞'],
    ['<\\\\/𝒞', '<\\\\\\/𝒞'],
    ['𝒞 < \\𝒞', '𝒞 < \\𝒞'],
    ['<<𝒞', '<<\\𝒞'],
  ])('adds exactly one backslash: %s', (text, escaped) => {
    expect(escapeTags(text)).toBe(escaped)
    expect(unescapeTags(escaped)).toBe(text)
  })

  it('S21: can be undone for any text', () => {
    fc.assert(
      fc.property(fc.oneof(tagLike, fc.string({ unit: 'binary' })), (text) => unescapeTags(escapeTags(text)) === text),
    )
  })

  it('S21: makes one block of any payload, which decodes to the same payload', () => {
    fc.assert(
      fc.property(fc.oneof(tagLike, fc.string({ unit: 'binary' })), (payload) => {
        const block = encodeBlock({ channel: 'string', topic: 'main', payload })
        expect(decodeChanFlow(block)).toEqual([{ type: 'block', channel: 'string', topic: 'main', payload }])
      }),
      { numRuns: 3000 },
    )
  })

  it('makes replies that stay text when a model quotes them', () => {
    const reply = encodeBlock({
      channel: 'string',
      topic: 'a',
      payload: '</𝒞>\n<𝒞=string:b>/x</𝒞>',
      attributes: { time: '2026-03-19T14:30+09:00', mode: 'edit' },
    })
    expect(reply).toMatch(/^<𝒞=string:a time="2026-03-19T14:30\+09:00" mode=edit>\n/u)
    expect(decodeChanFlow(reply)).toEqual([{ type: 'text', text: reply }])
  })
})
