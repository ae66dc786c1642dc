import { WEB_LIMITS } from '../../limits.ts'
import {
  BLOCKS,
  CELLS,
  FORMATTING,
  HEADINGS,
  INDENTING,
  OPAQUE,
  SHOWN_VOID,
  TABLE_PARTS,
  TRANSPARENT,
  VOID,
} from './elements.ts'
import { decodeAttribute, decodeReferences } from './entities.ts'
import { closedOutBy, impliedClosings, isCell } from './nesting.ts'
import { type HtmlSink, scanHtml } from './scan.ts'
import { appendNode, createElement, type HtmlElement, type HtmlNode } from './tree.ts'

export interface ParsedPage {
  readonly body: HtmlElement
  readonly title: string | null
  /** What the page names as the start of its relative links. */
  readonly base: string | null
}

/**
 * Reads a page much as a browser does, in time linear to its length whatever it holds.
 * What is nested too deep is flattened; misnested tags are closed where the element around them ends.
 */
export function parseHtml(html: string): ParsedPage {
  const builder = new TreeBuilder()
  scanHtml(html, builder)
  return builder
}

const PARAGRAPH: readonly string[] = ['p']
const ANY_HEADING: readonly string[] = [...HEADINGS]

class TreeBuilder implements HtmlSink, ParsedPage {
  readonly body = createElement('body')
  title: string | null = null
  base: string | null = null
  readonly #open: HtmlElement[] = [this.body]
  /** How many of each are open. */
  readonly #count = new Map<string, number>()
  /** Elements that were opened but left out: their closing tags must not close others. */
  readonly #dropped = new Map<string, number>()
  /** The element that is left out with all that is inside. */
  #opaque: { readonly name: string; depth: number } | null = null
  #indents = 0
  #formats = 0

  text(raw: string): void {
    if (this.#opaque !== null) return
    if (!this.#isBetweenCells() || raw.trim() !== '') this.#put(decodeReferences(raw))
  }

  raw(name: string, raw: string): void {
    if (name === 'title' && this.#opaque === null) this.title ??= decodeReferences(raw)
  }

  open(tag: string, raw: ReadonlyMap<string, string>, selfClosing: boolean): void {
    const name = safeName(tag)
    if (this.#isHidden(name)) return
    if (name === 'base') this.base ??= decodeAttribute(raw.get('href') ?? '')
    if (OPAQUE.has(name) && !selfClosing) this.#opaque = { name, depth: 1 }
    if (OPAQUE.has(name) || TRANSPARENT.has(name)) return
    if (BLOCKS.has(name)) this.#closeNearest(PARAGRAPH, isCell)
    if (VOID.has(name)) {
      if (SHOWN_VOID.has(name)) this.#put(this.#element(name, raw))
      return
    }
    this.#closeImplied(name)
    if (this.#isTooMuch(name)) this.#drop(name)
    else this.#push(this.#element(name, raw))
  }

  close(tag: string): void {
    const name = safeName(tag)
    if (this.#opaque !== null) return this.#closeOpaque(name)
    if (name === 'br') this.#put(createElement('br'))
    const dropped = this.#dropped.get(name) ?? 0
    if (dropped > 0) this.#dropped.set(name, dropped - 1)
    else this.#closeNearest(HEADINGS.has(name) ? ANY_HEADING : [name], closedOutBy(name))
  }

  #closeOpaque(name: string): void {
    if (this.#opaque?.name === name) this.#opaque.depth -= 1
    if (this.#opaque?.depth === 0) this.#opaque = null
  }

  /** Some elements that are left out are often not closed: a block ends them. */
  #isHidden(name: string): boolean {
    if (this.#opaque === null) return false
    if (this.#opaque.name === name) this.#opaque.depth += 1
    else if (BLOCKS.has(name) && this.#opaque.name !== 'template') this.#opaque = null
    return this.#opaque !== null
  }

  #closeImplied(name: string): void {
    const closing = impliedClosings(name)
    if (closing !== null) this.#closeNearest(closing.names, closing.until)
    const top = this.#top.name
    if (HEADINGS.has(name) && HEADINGS.has(top)) this.#closeNearest([top], () => false)
    if ((name === 'td' || name === 'th') && top !== 'tr' && this.#isBetweenCells()) this.#push(createElement('tr'))
  }

  #isTooMuch(name: string): boolean {
    if (this.#open.length >= WEB_LIMITS.htmlDepth) return true
    if (INDENTING.has(name)) return this.#indents >= WEB_LIMITS.htmlIndents
    if (FORMATTING.has(name)) return this.#formats >= WEB_LIMITS.htmlInlineDepth || (name === 'a' && this.#has('a'))
    if (TABLE_PARTS.has(name)) return !this.#has('table')
    return name === 'form' && this.#has('form')
  }

  get #top(): HtmlElement {
    return this.#open.at(-1) ?? this.body
  }

  #has(name: string): boolean {
    return (this.#count.get(name) ?? 0) > 0
  }

  /** Where a table takes nothing but its own parts. */
  #isBetweenCells(): boolean {
    return this.#top.name === 'table' || (TABLE_PARTS.has(this.#top.name) && !CELLS.has(this.#top.name))
  }

  #element(name: string, raw: ReadonlyMap<string, string>): HtmlElement {
    if (raw.size === 0) return createElement(name)
    const attributes = new Map<string, string>()
    for (const [key, value] of raw) attributes.set(key, decodeAttribute(value))
    return createElement(name, attributes)
  }

  #drop(name: string): void {
    this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1)
    if (BLOCKS.has(name)) this.text(' ')
  }

  #push(element: HtmlElement): void {
    this.#put(element)
    this.#open.push(element)
    this.#track(element.name, 1)
  }

  #put(node: HtmlNode): void {
    const isMisplaced = this.#isBetweenCells() && (typeof node === 'string' || !TABLE_PARTS.has(node.name))
    const table = isMisplaced ? this.#open.findLast(({ name }) => name === 'table') : undefined
    if (table?.parent) insertBeforeLast(table.parent, node)
    else appendNode(this.#top, node)
  }

  #closeNearest(names: readonly string[], until: (name: string) => boolean): void {
    if (!names.some((name) => this.#has(name))) return
    for (let index = this.#open.length - 1; index > 0; index -= 1) {
      const name = this.#open[index]?.name ?? ''
      if (names.includes(name)) {
        for (const closed of this.#open.splice(index)) this.#track(closed.name, -1)
        return
      }
      if (until(name)) return
    }
  }

  #track(name: string, by: number): void {
    this.#count.set(name, (this.#count.get(name) ?? 0) + by)
    if (INDENTING.has(name)) this.#indents += by
    if (FORMATTING.has(name)) this.#formats += by
  }
}

/** An open table is the last child of its parent: what is misplaced in it goes before it. */
function insertBeforeLast(parent: HtmlElement, node: HtmlNode): void {
  const last = parent.children.pop()
  appendNode(parent, node)
  if (last !== undefined) parent.children.push(last)
}

function safeName(name: string): string {
  if (name === 'image') return 'img'
  return /^[a-z][a-z0-9-]{0,40}$/.test(name) ? name : 'span'
}
