import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { MaskedStream, Masker, spellings } from '../src/secrets.ts'

function masker(...secrets: string[]): Masker {
  const made = new Masker('***', 4)
  for (const secret of secrets) made.add(secret)
  return made
}

describe('spellings', () => {
  it('hold base64 as programs write it, with and without its end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const base64 = Buffer.from(text).toString('base64')
        expect(spellings(text)).toEqual(expect.arrayContaining([text, base64, Buffer.from(text).toString('base64url')]))
      }),
    )
  })

  it('of half a character are no error', () => {
    expect(spellings('abc\ud800')).toContain('abc\\ud800')
  })
})

describe('a masker', () => {
  it('hides every spelling, in text and in bytes that are none', () => {
    const secret = `p@ss "wörd"/1 & <2>`
    for (const spelled of spellings(secret)) {
      expect(masker(secret).mask(`a ${spelled} b`)).toBe('a *** b')
      const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(spelled), Buffer.from([0xfe])]).toString('latin1')
      expect(masker(secret).maskBytes(bytes)).toBe('\xff***\xfe')
    }
  })

  it('hides secrets that overlap, touch or hold one another as one', () => {
    expect(masker('abcdef', 'defghi').mask('x abcdefghi y')).toBe('x *** y')
    expect(masker('abcd', 'efgh').mask('abcdefgh')).toBe('***')
    expect(masker('abcd', 'abcdefgh').mask('abcdefgh abcd')).toBe('*** ***')
    expect(masker('aaaa').mask(`${'a'.repeat(100_000)}b`)).toBe('***b')
  })

  it('hides what a cut has left of a secret, but not a letter or two', () => {
    expect(masker('sk-123456').mask('x sk-1234', { atEnd: true })).toBe('x ***')
    expect(masker('sk-123456').mask('123456 x', { atStart: true })).toBe('*** x')
    expect(masker('sk-123456').mask('56 x sk-', { atStart: true, atEnd: true })).toBe('56 x sk-')
    expect(masker('sk-123456').mask('x sk-123456 y', { from: 7 })).toBe('*** y')
    expect(masker('sk-123456').mask('x sk-123456 y', { from: 11 })).toBe(' y')
  })

  it('hides the lines of a secret and what is left without its blanks, but nothing that is short', () => {
    const key = masker(' first-line\nsecond-line\nend\n')
    expect(key.mask('first-line, second-line, end')).toBe('***, ***, end')
    expect(masker('abc').mask('abc')).toBe('abc')
    expect(masker('abc').size).toBe(0)
  })

  it('shows everything else as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b') }), (text) => {
        const isHidden = (at: number): boolean =>
          [0, 1, 2, 3].some((back) => text.startsWith('abab', at - back) && at >= back)
        const expected = Array.from(text, (sign, at) => (isHidden(at) ? '*' : sign)).join('')
        expect(masker('abab').mask(text)).toBe(expected.replace(/\*+/g, '***'))
      }),
    )
  })
})

describe('a masked stream', () => {
  const masker = new Masker('•••', 8)
  masker.add('s3cret-value-1')
  masker.add('value-1-and-more')

  const streamed = (pieces: readonly string[]): string => {
    const stream = new MaskedStream(masker)
    return pieces.map((piece) => stream.push(piece)).join('') + stream.end()
  }

  it('hides a secret however the text is cut', () => {
    const text = 'before s3cret-value-1-and-more after s3cret-valu'
    for (let first = 0; first <= text.length; first += 1) {
      for (let second = first; second <= text.length; second += 5) {
        const shown = streamed([text.slice(0, first), text.slice(first, second), text.slice(second)])
        expect(shown).toBe('before ••• after s3cret-valu')
      }
    }
  })

  it('passes on at once what cannot be a part of a secret', () => {
    const stream = new MaskedStream(masker)
    expect(stream.push('plain text, then s3cr')).toBe('plain text, then ')
    expect(stream.push('ew')).toBe('s3crew')
    expect(stream.end()).toBe('')
  })
})
