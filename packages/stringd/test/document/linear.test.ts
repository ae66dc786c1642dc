import { describe, expect, it } from 'vitest'
import { indexPage } from '../../src/document/page.ts'
import { createDocumentParser } from '../../src/document/parse.ts'
import { renderPage } from '../../src/document/render.ts'

const UNITS = {
  'a long paragraph': 'word and [link](https://example.com/x) more\n',
  paragraphs: 'word and [link](https://example.com/x) more\n\n',
  brackets: '[',
  'brackets that close': '[a]',
  'brackets with links': '[a](b) [',
  images: '![a](b)',
  'images with links': '![x[b](https://c.example)](d)',
  emphasis: '*a_ ',
  'table rows': '| [x](https://e.com/1) | y |\n',
  'a row of escaped pipes': '[x](https://e.com/1)\\|',
  headings: '# a\n',
  'headings with marks': '# [a](b) `c`\n',
  'blocks side by side': '<!-- #a -->\nx\n<!-- /a -->\n',
  'blocks that do not close': '<!-- #a -->\n',
  'closing markers': '<!-- #a -->\n<!-- /b -->\n',
  'shortcuts that are equal': '[@a A](b.md)\n\n',
  'shortcuts that differ in target': '[Docs](https://example.com/a-long-target-that-is-worth-a-name)\n\n',
  definitions: '[@a]: b.md\n',
  menus: '[!nav:main](a.md)\n',
  actions: '```act.x\nGET a\n```\n',
  quotes: '> [a](https://e.com/1)\n',
  lists: '- [a](https://e.com/1)\n',
  'blank lines around markers': '\n\n\n<!-- #a -->\n\n\n',
  'an unclosed comment': '<!-- a\n',
  newlines: '\n',
  'nested quotes': '>',
  'html tags': '<a ',
} as const

const LEADS = ['', '[a]: b\n\n', '| a | b |\n|---|---|\n| ']

/**
 * Work in characters that the string functions go over. Time says little on a busy machine; a count says the same
 * every time.
 */
function workOf(text: string): number {
  const parse = createDocumentParser()
  let work = 0
  const names = ['indexOf', 'lastIndexOf', 'slice', 'split', 'trim', 'trimEnd', 'replaceAll', 'includes'] as const
  const originals = names.map((name) => [name, String.prototype[name] as (...args: unknown[]) => unknown] as const)
  for (const [name, original] of originals) {
    Object.defineProperty(String.prototype, name, {
      configurable: true,
      writable: true,
      value: function counted(this: string, ...args: unknown[]) {
        const result = original.apply(this, args)
        work +=
          typeof result === 'string'
            ? result.length
            : typeof result === 'number'
              ? scanned(this, result, args)
              : this.length
        return result
      },
    })
  }
  try {
    const page = { document: parse(text), base: 0, includes: new Map() }
    renderPage(page, indexPage(page))
    return work
  } finally {
    for (const [name, value] of originals)
      Object.defineProperty(String.prototype, name, { configurable: true, writable: true, value })
  }
}

function scanned(text: string, found: number, args: readonly unknown[]): number {
  const from = typeof args[1] === 'number' ? args[1] : 0
  return Math.abs((found === -1 ? text.length : found) - from)
}

describe('S20: parsing and rendering is linear', () => {
  for (const [name, unit] of Object.entries(UNITS)) {
    it(`${name}: twice the text is at most 2.5 times the work`, () => {
      for (const lead of LEADS) {
        const make = (length: number) => lead + unit.repeat(Math.ceil(length / unit.length))
        const small = workOf(make(20_000))
        const large = workOf(make(40_000))
        expect(large / small, JSON.stringify(lead)).toBeLessThan(2.5)
      }
    })
  }
})
