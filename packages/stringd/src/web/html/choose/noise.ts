import { HEADINGS } from '../read/elements.ts'
import { attribute, elementsOf, findAll, findElement, type HtmlElement, type HtmlNode, textOf } from '../read/tree.ts'

const NAMES: ReadonlySet<string> = new Set(['dialog', 'search'])
const ROLES: ReadonlySet<string> = new Set(['alertdialog', 'dialog', 'menubar', 'search', 'toolbar', 'tooltip'])
const NAVIGATION_ROLES: ReadonlySet<string> = new Set(['directory', 'menu', 'navigation'])
const CHROME: ReadonlySet<string> = new Set(['aside', 'footer', 'header'])
const CHROME_ROLES: ReadonlySet<string> = new Set(['banner', 'complementary', 'contentinfo'])
/** A header or footer in one of these belongs to the part, not to the page. */
const SECTIONS: ReadonlySet<string> = new Set(['article', 'blockquote', 'figure', 'main', 'section'])
const MAIN: ReadonlySet<string> = new Set(['article', 'h1', 'main'])
const PROSE: ReadonlySet<string> = new Set(['p', 'pre', ...HEADINGS])

const UNSEEN_CLASS =
  /(^|\s)(sr-only|visually-?hidden|screen-reader-text|mw-editsection|skip-?(link|nav|to-content))(\s|$)/i
const BANNER =
  /(cookie|consent|gdpr)[-_]?(banner|bar|box|consent|dialog|law|message|modal|notice|overlay|popup|prompt|wall)|onetrust-|cookiebot|cc-window|didomi-|qc-cmp|usercentrics|truste[-_]/i

/** What an element holds, known once everything inside it has been looked at. */
interface Holdings {
  main: boolean
  prose: boolean
}

/** Takes out what no reader of the page counts as its content: hidden parts, controls, menus, banners. */
export function dropNoise(body: HtmlElement, keepNavigation: boolean): void {
  prune(body, keepNavigation, false)
}

/** Whether the page has parts that are dropped although they may be all it has. */
export function hasFrame(body: HtmlElement): boolean {
  const holders = mainHolders(body)
  return findElement(body, (element) => isNavigation(element) || isChrome(element, holders)) !== null
}

/** Goes through the page once, from the inside out. */
function prune(parent: HtmlElement, keepNavigation: boolean, isTitle: boolean): Holdings {
  const holdings = { main: MAIN.has(parent.name), prose: PROSE.has(parent.name) }
  const inTitle = isTitle || HEADINGS.has(parent.name) || parent.name === 'summary'
  const kept: HtmlNode[] = []
  for (const node of parent.children) {
    if (typeof node === 'string') kept.push(node)
    else if (!isNoise(node) && (keepNavigation || !isNavigation(node))) {
      const inner = prune(node, keepNavigation, inTitle)
      if (isEmptyFrame(node, inner, inTitle)) continue
      kept.push(node)
      holdings.main ||= inner.main
      holdings.prose ||= inner.prose
    }
  }
  parent.children = kept
  return holdings
}

/** A banner that does not enclose the page, a form that asks instead of telling, a button that is no title. */
function isEmptyFrame(element: HtmlElement, { main, prose }: Holdings, inTitle: boolean): boolean {
  if (element.name === 'form' || element.name === 'fieldset') return !prose
  if (element.name === 'button') return !inTitle
  return !main && BANNER.test(named(element))
}

function isNoise(element: HtmlElement): boolean {
  if (element.name === 'input') return attribute(element, 'type').toLowerCase() !== 'checkbox'
  if (NAMES.has(element.name) || ROLES.has(attribute(element, 'role')) || isHidden(element)) return true
  return UNSEEN_CLASS.test(named(element)) && !HEADINGS.has(element.name)
}

function isHidden(element: HtmlElement): boolean {
  if (element.attributes.has('hidden') && attribute(element, 'hidden') !== 'until-found') return true
  if (attribute(element, 'aria-hidden') === 'true') return true
  return /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, 'style'))
}

function isNavigation(element: HtmlElement): boolean {
  if (element.name === 'nav' || NAVIGATION_ROLES.has(attribute(element, 'role'))) return true
  return element.name === 'a' && /^\s*skip (to|navigation)/i.test(textOf(element))
}

function named(element: HtmlElement): string {
  return `${attribute(element, 'id')} ${attribute(element, 'class')}`
}

/** Takes out the header, footer and sidebars of a page that does not say what its main content is. */
export function dropChrome(body: HtmlElement): void {
  dropChromeWithin(body, mainHolders(body))
}

function dropChromeWithin(parent: HtmlElement, holders: ReadonlySet<HtmlElement>): void {
  parent.children = parent.children.filter((node) => typeof node === 'string' || !isChrome(node, holders))
  for (const element of elementsOf(parent)) if (!SECTIONS.has(element.name)) dropChromeWithin(element, holders)
}

function isChrome(element: HtmlElement, holders: ReadonlySet<HtmlElement>): boolean {
  if (CHROME_ROLES.has(attribute(element, 'role'))) return true
  return CHROME.has(element.name) && !holders.has(element)
}

/** All elements around one that may be the main content: found once, not again for every header around it. */
function mainHolders(body: HtmlElement): Set<HtmlElement> {
  const holders = new Set<HtmlElement>()
  for (const main of findAll(body, ({ name }) => MAIN.has(name))) {
    for (let each = main.parent; each !== null && !holders.has(each); each = each.parent) holders.add(each)
  }
  return holders
}
