import { afterAll, describe, expect, it } from 'vitest'
import { cpuGrowth, WorkCounter } from '../../../../test/support/work.ts'

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

const counter = new WorkCounter()
afterAll(() => counter.close())

const { indexPage } = await import('../../src/document/page.ts')
const { createDocumentParser } = await import('../../src/document/parse/parse.ts')
const { renderPage } = await import('../../src/document/render.ts')

function show(text: string): void {
  const page = { document: createDocumentParser()(text), base: 0, includes: new Map() }
  renderPage(page, indexPage(page))
}

const textOf = (lead: string, unit: string, length: number) => lead + unit.repeat(Math.ceil(length / unit.length))

/** What keeps a pattern looking: runs of one sign, alone and before something that ends the hope. */
const RUNS = {
  spaces: ' ',
  'spaces in lines': `${' '.repeat(200)}a\n`,
  tabs: '\t',
  backticks: '`',
  tildes: '~',
  stars: '*',
  underscores: '_ ',
  dashes: '-',
  'equals signs': '=',
  pipes: '|',
  ampersands: '&a',
  exclamation: '!',
  backslashes: '\\',
  parentheses: '[a](',
  addresses: 'https://a.',
  'openings of comments': '<!-- #',
  'names and dots': 'a.b-',
}

describe('S20: parsing and rendering is linear', () => {
  for (const [name, unit] of Object.entries(UNITS)) {
    it(`${name}: twice the text is at most 2.5 times the work`, () => {
      for (const lead of LEADS) {
        const small = counter.count(() => show(textOf(lead, unit, 20_000)))
        const large = counter.count(() => show(textOf(lead, unit, 40_000)))
        expect(large / small, JSON.stringify(lead)).toBeLessThan(2.5)
      }
    })
  }

  for (const [name, unit] of Object.entries(RUNS)) {
    it(`${name}: the time that patterns take grows with the text, not with its square`, () => {
      for (const end of ['', ' x\ny']) {
        const growth = cpuGrowth((times) => show(textOf('# a\n\nb ', unit, 4_000 * times) + end))
        expect(growth, JSON.stringify(end)).toBeLessThan(64)
      }
    })
  }
})
