import { describe, expect, it } from 'vitest'
import type { Document, Span } from '../../packages/stringd/src/document/document.ts'
import { indexPage, type Page } from '../../packages/stringd/src/document/page.ts'
import { createDocumentParser } from '../../packages/stringd/src/document/parse/parse.ts'
import { renderPage } from '../../packages/stringd/src/document/render.ts'
import { splitPages } from '../../packages/stringd/src/document/text/split-pages.ts'
import { fc } from '../support/fast-check.ts'

const parse = createDocumentParser()

function pageOf(text: string): Page<null> {
  return { document: parse(text), base: null, includes: new Map() }
}

function render(text: string): string {
  const page = pageOf(text)
  return renderPage(page, indexPage(page))
}

const WORDS = ['word', 'é', '한', '🌕', ' ', '  ', '\t', '.', '!', '&amp;', '\u00a0']
const STRUCTURE = [
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '> ',
  '- ',
  '1. ',
  '# ',
  '    ',
  '| a | b |\n|---|---|\n',
  ' | ',
  '---',
  '===',
]
const MARKS = [
  '*',
  '**',
  '_',
  '`',
  '``',
  '```\n',
  '~~~\n',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '<b>',
  '\\',
  '(',
  ')',
  '<',
  '>',
]
const PLAIN_LINKS = [
  '[a](b.md)',
  '![i](j.png)',
  '[r]',
  '[z][r]',
  '\n\n[r]: r.md\n',
  '<https://auto.example/>',
  '[',
  ']',
]
const CONSTRUCTS = [
  '[@x Label](y.md)',
  '[@y](z.md)',
  '[two words](https://e.example/)',
  '[é](https://e.example/)',
  '[![i](j)](https://k.example/)',
  '![q [r s](https://s.example/)](t)',
  '[L][@d]',
  '\n\n[@d]: t.md\n',
  '\n<!-- #a -->\n',
  '\n<!-- /a -->\n',
  '\n[!nav:m](n.md)\n',
  '\n[!include:m](n.md)\n',
  '\n```act.x\nGET https://a.example/\n```\n',
  '---\ntitle: x\n---\n',
]

const someOf = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary' })), {
      maxLength: 25,
    })
    .map((parts) => parts.join(''))

const plainText = someOf([...WORDS, ...STRUCTURE, ...MARKS, ...PLAIN_LINKS])
const anyText = someOf([...WORDS, ...STRUCTURE, ...MARKS, ...PLAIN_LINKS, ...CONSTRUCTS])

/** Nothing in it that the reader sees in another form. */
function isPlain(text: string): boolean {
  return !/\[@|\[!|<!--\s*[#/]|act\.|https?:|^\ufeff?---/i.test(text) && !/\]\([^)]{41}/.test(text)
}

describe('a document', () => {
  it('has the same shortcuts whenever it has the same text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const page: Page<null> = { document: createDocumentParser()(text), base: null, includes: new Map() }
        expect([...indexPage(page).shortcuts]).toEqual([...indexPage(pageOf(text)).shortcuts])
      }),
      { numRuns: 500 },
    )
  })

  it('without any of our constructs is shown as it is', () => {
    fc.assert(
      fc.property(plainText.filter(isPlain), (text) => {
        expect(render(text)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('has all it holds inside its text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { blocks, sections, links, directives, actions, hidden } = parse(text)
        for (const { start, end } of [...blocks, ...sections, ...links, ...directives, ...actions, ...hidden]) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeGreaterThanOrEqual(start)
          expect(end).toBeLessThanOrEqual(text.length)
        }
        for (const { start, end } of links) expect(text.slice(start, end)).toMatch(/^\[.*[\])]$/s)
        for (const { start, end } of directives) expect(text.slice(start, end)).toMatch(/^\s*\[!.*[\])]\s*$/s)
        expect(overlapping(links)).toEqual([])
        expect(overlapping(hidden)).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  it('keeps every line that is not taken out, and gains no blank ones', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => !/[[\r]/.test(text)),
        (text) => {
          const page = pageOf(text)
          const shown = render(text)
          const body = shown.replace(/^(?:\[(?:actions|menus)\] .*\n)+\n/, '')
          expect(inkOf(body)).toEqual(inkOf(withoutHidden(page.document)))
          if (!/\n[ \t]*\n[ \t]*\n/.test(text)) expect(body).not.toMatch(/\n[ \t]*\n[ \t]*\n/)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})

describe('pages', () => {
  const lines = fc.array(fc.constantFrom('word ', 'é', '🌕', '한글', '\n', '\r\n', '\n\n', ' \n\t\n', 'x'.repeat(40)), {
    maxLength: 400,
  })

  it('are together the text, and none is longer than the limit', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 16, max: 300 }), (parts, limit) => {
        const text = parts.join('')
        const pages = splitPages(text, limit)
        expect(pages.join('')).toBe(text)
        for (const page of pages) {
          expect(Buffer.byteLength(page)).toBeLessThanOrEqual(limit)
          expect(page.isWellFormed()).toBe(true)
          if (pages.length > 1) expect(page).not.toBe('')
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('hold at most 32 KiB of a long text', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 400 }), (parts, times) => {
        const text = parts.join('').repeat(times)
        const pages = splitPages(text, 32 * 1024)
        expect(pages.join('')).toBe(text)
        for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(32 * 1024)
      }),
      { numRuns: 50 },
    )
  })
})

function overlapping(spans: readonly Span[]): Span[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start)
  return ordered.filter(({ start }, index) => start < (ordered[index - 1]?.end ?? 0))
}

function withoutHidden({ text, hidden }: Document): string {
  let shown = ''
  let at = 0
  for (const { start, end } of hidden) {
    shown += text.slice(at, start)
    at = end
  }
  return shown + text.slice(at)
}

/** The lines that are not blank. */
function inkOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}
