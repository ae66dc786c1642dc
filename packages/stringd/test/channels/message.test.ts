import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRoute, matchesGlob } from '../../src/channels/find-route.ts'
import { isAddress, mailOf } from '../../src/channels/mail.ts'
import { shownReason } from '../../src/channels/redact.ts'
import { isOver, nextTime, shownWait } from '../../src/channels/retry-times.ts'
import { fillTemplate } from '../../src/channels/template.ts'

const createdAt = new Date('2026-03-19T05:30:00Z')
const mail = (text: string) => mailOf({ id: 'dlv_1', target: 'a@b.c', text, createdAt }, 'agent@company.com')

describe('a mail', () => {
  it.each([
    ['Subject: Q1\n\nHello', 'Q1', 'Hello'],
    ['subject:Q1\r\nHello', 'Q1', 'Hello'],
    ['Subject: Q1', 'Q1', ''],
    ['Hello there\nMore', 'Hello there', 'Hello there\nMore'],
    ['\n\n', 'Message', '\n\n'],
    ['Subject:\nHello', 'Hello', 'Hello'],
    ['Subject: a\r\u2028Bcc: x@y.z\nHello', 'a Bcc: x@y.z', 'Hello'],
    [`${'x'.repeat(100)}\n`, `${'x'.repeat(77)}…`, `${'x'.repeat(100)}\n`],
  ])('%j has its subject and its text', (text, subject, body) => {
    expect(mail(text)).toMatchObject({ subject, text: body })
  })

  it('has the same id and date at every try', () => {
    expect(mail('x')).toMatchObject({ messageId: '<dlv_1@company.com>', date: createdAt })
  })

  it('no text makes a subject of two lines', () => {
    const part = fc.constantFrom('Subject:', ' ', '\r', '\n', '\u2028', '\u0085', '\0', 'Bcc: x@y.z', 'x')
    fc.assert(
      fc.property(fc.string({ unit: part, maxLength: 12 }), (text) => {
        expect(mail(text).subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      }),
    )
  })

  it.each(['a@b', 'ä@bücher.example', 'first.last+tag@sub.example.com'])('%s is one address', (text) => {
    expect(isAddress(text)).toBe(true)
  })

  const NO_ADDRESSES = ['a', '@b', 'a@', 'a@b,c@d', 'a@b;c@d', 'a@b@c', 'x:a@b', '<a@b>', '"a"@b', 'a b@c', 'a@[1]', '']
  it.each([...NO_ADDRESSES, 'a@b\r\nRCPT', 'a\0@b'])('%j is not one address', (text) => {
    expect(isAddress(text)).toBe(false)
  })
})

describe('an allow list', () => {
  it.each([
    ['*@company.com', 'x@company.com', true],
    ['*@company.com', 'x@company.com.evil.org', false],
    ['*@company.com', 'x@evil.org', false],
    ['a*c*e', 'abcde', true],
    ['a*a', 'a', false],
    ['*', 'anything', true],
    ['', '', true],
    ['a.c', 'abc', false],
    ['**a', 'a', true],
  ])('%s and %s: %s', (pattern, name, fits) => {
    expect(matchesGlob([pattern], name)).toBe(fits)
  })

  it.each([
    ['MIKE@Company.com', true],
    ['mi\u212ae@company.com', false],
    ['mike@company.com.', false],
    ['mike@company。com', false],
    ['ｍike@company.com', false],
  ])('of mails and %s: %s', (target, fits) => {
    const url = new URL('smtp://127.0.0.1:1')
    const channel = { type: 'smtp', url, from: 'a@b', allow: ['mike@company.COM'], secrets: [] } as const
    expect(findRoute('email', channel, target).ok).toBe(fits)
  })

  it('is empty: nothing is allowed', () => {
    expect(matchesGlob([], '')).toBe(false)
  })

  it('agrees with the same pattern as a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (pattern, name) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name)
        expect(matchesGlob([pattern], name)).toBe(expected)
      }),
    )
  })
})

describe('a reason', () => {
  it('shows no secret, however it is spelled', () => {
    const secret = 'p@ss wörd/1'
    const spelled = [secret, encodeURIComponent(secret), encodeURI(secret), Buffer.from(secret).toString('base64')]
    for (const text of spelled) expect(shownReason(`535 bad ${text} here`, [secret])).toBe('535 bad ••• here')
    expect(shownReason('535 %zz', ['%zz'])).toBe('535 •••')
    expect(shownReason('abcd ab', ['ab', 'abcd', ''])).toBe('••• •••')
  })

  it('is one line of bounded length', () => {
    expect(shownReason(`550\r\n\x1b[31m${'x'.repeat(5000)}`, [])).toMatch(/^550\\r\\n\\x1b\[31mx{50,200}…$/)
  })
})

describe('a template', () => {
  it('keeps its shape whatever the text is, and puts each text in once', () => {
    const template = { content: '{target}: {text}', list: ['{text}', 1, null], nested: { '{text}': true } }
    expect(fillTemplate(template, { text: '","x":"{target}', target: 't' })).toEqual({
      content: 't: ","x":"{target}',
      list: ['","x":"{target}', 1, null],
      nested: { '{text}': true },
    })
  })
})

describe('the times of tries', () => {
  it('are 1, 5, 30 min, 2 and 8 h after it was written, and the end after 24 h', () => {
    const times: string[] = []
    for (let now = 0; !isOver(0, now); now = nextTime(0, now)) times.push(shownWait(nextTime(0, now)))
    expect(times).toEqual(['1 min', '5 min', '30 min', '2 h', '8 h', '24 h'])
  })

  it('that were missed are not made up for', () => {
    expect(nextTime(0, 3 * 3_600_000)).toBe(8 * 3_600_000)
  })
})
