import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../src/web/html-to-markdown.ts'
import { WEB_LIMITS } from '../../src/web/limits.ts'

const SIZE = 1024 * 1024

const fill = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE)
const whole = (unit: string) => unit.repeat(Math.floor(SIZE / unit.length))
const nest = (open: string, close: string, times: number) => `${open.repeat(times)}deep${close.repeat(times)}`

const PAGES: Record<string, string> = {
  'divs nested 100,000 deep': nest('<div>', '</div>', 100_000),
  'block quotes nested 100,000 deep': nest('<blockquote>', '</blockquote>', 100_000),
  'lists nested 100,000 deep': nest('<ul><li>', '</li></ul>', 100_000),
  'spans nested 100,000 deep': nest('<span>', '</span>', 100_000),
  'tables nested 50,000 deep': nest('<table><tr><td>', '</td></tr></table>', 50_000),
  'all kinds of emphasis nested': nest('<b><i><a href=x><s>', '</s></a></i></b>', 50_000),
  'unclosed list items and definitions': `${whole('<li>a<dd>b')}<p>deep`,
  'unclosed emphasis in paragraphs': `${whole('<b id=x><p>a')}deep`,
  'unclosed links around paragraphs': `${whole('<a href=x><p>y')}<p>deep`,
  'closing tags without an opening one': `${whole('</b></div>')}deep`,
  'a tag with 200,000 attributes': `<div ${whole('a=1 ')}>deep`,
  'nothing but <': `${whole('<')} deep`,
  'nothing but spaces that do not break': `${whole('\u00a0')}deep`,
  '50,000 links': `<p>${'<a href="/x">y</a> '.repeat(50_000)}deep`,
  'a table of 40,000 cells': `<table>${'<tr><td>a<td>b'.repeat(20_000)}</table>deep`,
  'a row of 20,000 cells': `<table><tr>${'<td>a'.repeat(20_000)}</table>deep`,
  'cells that claim to span everything': `<table>${'<tr><td colspan=9999 rowspan=9999>a<td>b'.repeat(5000)}</table>deep`,
  'text misplaced in a table': `<table>${'x<b>y</b>'.repeat(50_000)}</table>deep`,
  'a heading full of permalinks': `<h1>deep ${'<a class=anchor href=#x>yy</a>'.repeat(30_000)}`,
  'line breaks': `${whole('a<br>')}<p>deep`,
  'references to characters': `${whole('&amp;&#65;&nope;')} deep`,
}

describe('S20: a hostile page', () => {
  it.each(Object.entries(PAGES))('of %s is converted to its end', async (_name, html) => {
    const { markdown } = await htmlToMarkdown(html, 'https://docs.test/')
    // Not `toContain`: nobody wants to see the difference.
    expect(markdown.includes('deep')).toBe(true)
    expect(markdown.endsWith('\n')).toBe(true)
  })

  it.each([
    '<',
    '<a',
    '<a href="',
    '<!--',
    '<![CDATA[',
    '<script>',
    '<title>',
    '<textarea>',
    '<svg>',
    '</',
    '<!',
    '&',
    '<a b',
  ])('that repeats %s and ends in the middle of it is converted', async (unit) => {
    expect(await htmlToMarkdown(fill(unit), 'https://docs.test/')).toHaveProperty('markdown')
  })

  it('keeps no more levels of lists and quotes than allowed', async () => {
    const { markdown } = await htmlToMarkdown(nest('<blockquote>', '</blockquote>', 1000), 'https://docs.test/')
    expect(markdown).toBe(`${'> '.repeat(WEB_LIMITS.htmlIndents)}deep\n`)
  })

  it('does not grow without bounds by the length of its links, and says that something is missing', async () => {
    const base = `<base href="https://docs.test/${'a'.repeat(3000)}/">`
    const { markdown } = await htmlToMarkdown(`${base}${'<p><a href=b>c</a>'.repeat(20_000)}`, 'https://docs.test/')
    expect(markdown.length).toBeLessThan(2 * WEB_LIMITS.markdownChars)
    expect(markdown.endsWith('*The rest of the page is left out: it is too long.*\n')).toBe(true)
  })
})
