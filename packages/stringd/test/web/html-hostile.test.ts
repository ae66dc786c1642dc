import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../src/web/html-to-markdown.ts'
import { WEB_LIMITS } from '../../src/web/limits.ts'
import { nested, PAGES, RUNS, whole } from './hostile-pages.ts'

const SIZE = 1024 * 1024

async function markdownOf(html: string): Promise<string> {
  return (await htmlToMarkdown(html, 'https://docs.test/')).markdown
}

describe('S20: a hostile page', () => {
  it.each(Object.entries({ ...PAGES, ...RUNS }))('of %s is converted to its end', async (_name, page) => {
    const markdown = await markdownOf(page(SIZE))
    // Not `toContain`: nobody wants to see the difference.
    expect(markdown.includes('deep')).toBe(true)
    expect(markdown.endsWith('\n')).toBe(true)
  })

  it.each([
    ['<div>', '</div>'],
    ['<ul><li>', '</li></ul>'],
    ['<b>', '</b>'],
    ['<table><tr><td>', '</td></tr></table>'],
    ['<svg>', '</svg>'],
  ])('that nests %s 100,000 deep keeps the text before and after it', async (open, close) => {
    const markdown = await markdownOf(`<p>before</p>${open.repeat(100_000)}x${close.repeat(100_000)}<p>after</p>`)
    expect(markdown.startsWith('before\n')).toBe(true)
    expect(markdown.endsWith('after\n')).toBe(true)
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
  ])('that repeats %s and ends in the middle of it keeps the text before it', async (unit) => {
    const markdown = await markdownOf(`<p>before</p>${whole(unit, SIZE)}${unit.slice(0, -1)}`)
    expect(markdown.slice(0, 8).trimEnd()).toBe('before')
  })

  it('keeps no more levels of lists and quotes than allowed', async () => {
    const markdown = await markdownOf(nested('<blockquote>', '</blockquote>')(25_000))
    expect(markdown).toBe(`${'> '.repeat(WEB_LIMITS.htmlIndents)}deep\n`)
  })

  it('does not grow without bounds by the length of its links, and says that something is missing', async () => {
    const base = `<base href="https://docs.test/${'a'.repeat(3000)}/">`
    const markdown = await markdownOf(`${base}${'<p><a href=b>c</a>'.repeat(20_000)}`)
    expect(markdown.length).toBeLessThan(2 * WEB_LIMITS.markdownChars)
    expect(markdown.endsWith('*The rest of the page is left out: it is too long.*\n')).toBe(true)
  })
})
