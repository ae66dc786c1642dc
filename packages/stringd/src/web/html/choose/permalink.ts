import { attribute, findElement, type HtmlElement, type HtmlNode, textOf } from '../read/tree.ts'

const SYMBOLS = /^[\s\u200b#¶§∞🔗⚓]*$/u
const SAYING = /^(anchor|copy link|direct link to( .*)?|link|link to this (heading|section).*|permalink.*)$/i
const ANCHOR_CLASS = /(^|\s)(anchor|permalink|headerlink|header-?anchor|hash-?link)(\s|$|-)/i

/** The mark in or beside a heading that links to it. `siblings` are the nodes it stands among. */
export function isPermalink(
  element: HtmlElement,
  inHeading: boolean,
  siblings: readonly HtmlNode[],
  index: number,
): boolean {
  if (element.name !== 'a' || !attribute(element, 'href').includes('#')) return false
  const text = textOf(element)
  if (!SYMBOLS.test(text)) return inHeading && SAYING.test(text.trim()) && hasCompany(siblings, index)
  if (!inHeading) return ANCHOR_CLASS.test(attribute(element, 'class'))
  return findElement(element, ({ name }) => name === 'img') === null
}

/** A heading that is a link to itself. */
export function isSelfLink(link: HtmlElement): boolean {
  return attribute(link, 'href').startsWith('#')
}

function hasCompany(siblings: readonly HtmlNode[], index: number): boolean {
  return [siblings[index - 1], siblings[index + 1]].some((node) => node !== undefined && textOf(node).trim() !== '')
}
