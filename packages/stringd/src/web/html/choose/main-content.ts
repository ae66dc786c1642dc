import { attribute, findAll, type HtmlElement } from '../read/tree.ts'

/** A part that is shorter is taken for the main content only when it is much of the page. */
const ENOUGH_CHARS = 200

/** The element that holds what the page is about; the body when nothing says so. */
export function mainContent(body: HtmlElement): HtmlElement {
  const sizes = textSizes(body)
  const sizeOf = (element: HtmlElement) => sizes.get(element) ?? 0
  const isSensible = (element: HtmlElement) =>
    sizeOf(element) >= ENOUGH_CHARS || (sizeOf(element) > 0 && sizeOf(element) * 3 >= sizeOf(body))
  const main = largest(findAll(body, isMain), sizeOf)
  if (main !== null && isSensible(main)) return main
  const articles = findAll(body, ({ name }) => name === 'article')
  const article = largest(articles, sizeOf)
  if (article === null || !isSensible(article)) return body
  // Of many articles none is the main one: a front page, or comments.
  const all = articles.reduce((sum, each) => sum + sizeOf(each), 0)
  return sizeOf(article) * 2 > all ? article : body
}

function isMain(element: HtmlElement): boolean {
  return element.name === 'main' || attribute(element, 'role') === 'main'
}

function largest(elements: readonly HtmlElement[], sizeOf: (element: HtmlElement) => number): HtmlElement | null {
  let best: HtmlElement | null = null
  for (const element of elements) if (best === null || sizeOf(element) > sizeOf(best)) best = element
  return best
}

/** How many characters of text each element holds. */
function textSizes(body: HtmlElement): Map<HtmlElement, number> {
  const sizes = new Map<HtmlElement, number>()
  const measure = (element: HtmlElement): number => {
    let size = 0
    for (const node of element.children) size += typeof node === 'string' ? node.trim().length : measure(node)
    sizes.set(element, size)
    return size
  }
  measure(body)
  return sizes
}
