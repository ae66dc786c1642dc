import { mainContent } from './choose/main-content.ts'
import { dropChrome, dropNoise, hasFrame } from './choose/noise.ts'
import { simplify } from './choose/simplify.ts'
import { cleanText } from './read/clean-text.ts'
import { type ParsedPage, parseHtml } from './read/parse.ts'
import { writeMarkdown } from './write/blocks.ts'
import { createInlineWriter } from './write/inline.ts'
import { createLinks } from './write/links.ts'

export interface ConvertedPage {
  readonly title: string | null
  readonly markdown: string
}

/** A page that is nothing but menus shows its menus. */
export function convertPage(html: string, baseUrl: string): ConvertedPage {
  const parsed = parseHtml(html)
  const isFramed = hasFrame(parsed.body)
  const page = convert(parsed, baseUrl, false)
  return page.markdown === '' && isFramed ? convert(parseHtml(html), baseUrl, true) : page
}

function convert({ body, title, base }: ParsedPage, baseUrl: string, keepNavigation: boolean): ConvertedPage {
  dropNoise(body, keepNavigation)
  const root = mainContent(body)
  if (root === body && !keepNavigation) dropChrome(body)
  simplify(root)
  const shownTitle = cleanText(title ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const markdown = writeMarkdown(root, createInlineWriter(createLinks(baseUrl, base)))
  return { title: shownTitle === '' ? null : shownTitle, markdown }
}
