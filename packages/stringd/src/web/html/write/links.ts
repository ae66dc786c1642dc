import { WEB_LIMITS } from '../../limits.ts'
import { attribute, type HtmlElement } from '../read/tree.ts'
import { BREAK, collapsed, escapeInline } from './escape.ts'

/** Makes the links of one page absolute; null for what is better left as text. */
export interface Links {
  readonly link: (href: string) => string | null
  readonly image: (src: string) => string | null
}

const LINKED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:'])
const SHOWN: ReadonlySet<string> = new Set(['http:', 'https:'])

/** `base` is what the page itself names as the start of its relative links. */
export function createLinks(pageUrl: string, base: string | null): Links {
  const start = base === null ? pageUrl : (absolute(base, pageUrl, SHOWN) ?? pageUrl)
  return {
    link: (href) => absolute(href, href.trim().startsWith('#') ? pageUrl : start, LINKED),
    image: (src) => absolute(src, start, SHOWN),
  }
}

function absolute(href: string, base: string, schemes: ReadonlySet<string>): string | null {
  const reference = href.trim()
  if (reference.length > WEB_LIMITS.urlChars || !URL.canParse(reference, base)) return null
  const url = new URL(reference, base)
  if (!schemes.has(url.protocol) || url.href.length > WEB_LIMITS.urlChars) return null
  return destination(url.href)
}

/** A URL as it may stand between the parentheses of a link. */
function destination(href: string): string {
  const safe = href.replace(/[\s<>\\|]/g, (character) => encodeURIComponent(character))
  return isBalanced(safe) ? safe : safe.replaceAll('(', '%28').replaceAll(')', '%29')
}

function isBalanced(text: string): boolean {
  return !/[()]/.test(text.replace(/\([^()]*\)/g, ''))
}

/** Text as a link, or as text where there is nothing to link to. */
export function linked(content: string, href: string | null): string {
  const text = content.replaceAll(BREAK, ' ').trim()
  return href === null || text === '' ? text : `[${text}](${href})`
}

/** An empty `alt` says that the picture only decorates, unless it stands in a figure. */
export function picture(image: HtmlElement, links: Links): string {
  const alt = image.attributes.get('alt')
  const isPixel = ['width', 'height'].some((side) => /^[01](px)?$/.test(attribute(image, side)))
  if (isPixel || alt?.trim() === '') return ''
  const text = escapeInline(collapsed(alt ?? '').trim())
  const sources = [attribute(image, 'src'), attribute(image, 'data-src')].filter((each) => each !== '')
  const src = sources.map((each) => links.image(each)).find((each) => each !== null)
  return src === undefined ? text : `![${text}](${src})`
}
