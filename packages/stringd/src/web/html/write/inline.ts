import { createDocument, type DomDocument, type DomElement } from '@mixmark-io/domino'
import TurndownService from 'turndown'
import { WEB_LIMITS } from '../../limits.ts'
import { type HtmlNode, textOf } from '../read/tree.ts'
import { BREAK, codeSpan, escapeInline } from './escape.ts'
import type { Links } from './links.ts'

/** Turns text and inline elements into Markdown on one line, with `BREAK` for every line break. */
export type InlineWriter = (nodes: readonly HtmlNode[]) => string

const EMPHASES: ReadonlySet<string> = new Set(['b', 'strong', 'i', 'em', 'cite', 'dfn', 'var', 's', 'del', 'strike'])
const EDGE_BREAKS = new RegExp(`^([ ${BREAK}]*)([^]*?)([ ${BREAK}]*)$`)

export function createInlineWriter(links: Links): InlineWriter {
  const service = createService(links)
  const document = createDocument('')
  const convert = (nodes: readonly HtmlNode[]) => {
    const root = document.createElement('div')
    attach(document, root, nodes)
    return service.turndown(root)
  }
  return (nodes) => writeRuns(nodes, convert)
}

/** Copies nodes into the DOM that the converter wants. */
function attach(document: DomDocument, parent: DomElement, nodes: readonly HtmlNode[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') parent.appendChild(document.createTextNode(node))
    else {
      const element = document.createElement(node.name)
      for (const [name, value] of node.attributes) element.setAttribute(name, value)
      attach(document, element, node.children)
      parent.appendChild(element)
    }
  }
}

function createService(links: Links): TurndownService {
  const service = new TurndownService()
  service.escape = escapeInline
  const explained = new Set<string>()
  const rule = (filter: readonly string[], replacement: (content: string, node: DomElement) => string) =>
    service.addRule(filter.join(), { filter, replacement })
  rule(['br'], () => BREAK)
  rule(['code', 'kbd', 'samp', 'tt'], (_content, node) => codeSpan(node.textContent))
  rule(['b', 'strong'], (content, node) => marked(content, '**', 'strong', node))
  rule(['i', 'em', 'cite', 'dfn', 'var'], (content, node) => marked(content, '*', 'em', node))
  rule(['s', 'del', 'strike'], (content, node) => marked(content, '~~', 'del', node))
  rule(['sub', 'mark'], (content, node) => tagged(content, node.localName))
  rule(['sup'], (content) => (/^\[.*\)$/.test(content) ? content : tagged(content, 'sup')))
  rule(['q'], (content) => (content.trim() === '' ? '' : `“${content}”`))
  rule(['abbr'], (content, node) => content + explanation(node, explained))
  rule(['a'], (content, node) => linked(content, links.link(node.getAttribute('href') ?? '')))
  rule(['img'], (_content, node) => image(node, links))
  rule(['input', 'wbr'], () => '')
  return service
}

/** Long runs go piece by piece, and no further than a page may get. */
function writeRuns(nodes: readonly HtmlNode[], convert: (nodes: readonly HtmlNode[]) => string): string {
  if (nodes.every(isPlain)) return plainText(nodes)
  const parts: string[] = []
  let length = 0
  for (let at = 0; at < nodes.length && length < WEB_LIMITS.markdownChars; at += WEB_LIMITS.htmlInlineRun) {
    const part = writeRun(nodes.slice(at, at + WEB_LIMITS.htmlInlineRun), convert)
    length += part.length
    parts.push(part)
  }
  return collapsed(parts.join('')).trim()
}

/** Most runs are text and line breaks only: for these the converter has nothing to do. */
function plainText(nodes: readonly HtmlNode[]): string {
  const text = nodes.map((node) => (typeof node === 'string' ? node : BREAK)).join('')
  return escapeInline(collapsed(text).trim())
}

function isPlain(node: HtmlNode): boolean {
  return typeof node === 'string' || node.name === 'br'
}

/** The converter trims what it returns: the spaces at the edges are put back. */
function writeRun(nodes: readonly HtmlNode[], convert: (nodes: readonly HtmlNode[]) => string): string {
  const [first = '', last = ''] = [nodes[0], nodes.at(-1)].map((node) => textOf(node ?? ''))
  return `${/^\s/.test(first) ? ' ' : ''}${convert(nodes)}${/\s$/.test(last) ? ' ' : ''}`
}

function collapsed(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, ' ')
}

/** Emphasis around the words: breaks at the edges go outside, and only one break stays where many are. */
function marked(content: string, mark: string, tag: string, node: DomElement): string {
  const [, before = '', words = '', after = ''] = EDGE_BREAKS.exec(content) ?? []
  if (words === '') return content
  const inner = words.replace(new RegExp(`${BREAK}[ ${BREAK}]*`, 'g'), BREAK)
  if (isMarkable(inner, node)) return before + mark + inner + mark + after
  return `${before}<${tag}>${inner}</${tag}>${after}`
}

/** `**a:**b` is no emphasis to Markdown: a mark between a punctuation sign and a letter is taken for the wrong one. */
function isMarkable(inner: string, { previousSibling, nextSibling }: DomElement): boolean {
  // The marks of two emphases side by side would run into one.
  if (EMPHASES.has(previousSibling?.localName ?? '')) return false
  const words = inner.replace(/^[*~]+|[*~]+$/g, '')
  const isOpen = isWord(words.slice(0, 1)) || !isWord(previousSibling?.textContent.slice(-1) ?? '')
  return isOpen && (isWord(words.slice(-1)) || !isWord(nextSibling?.textContent.slice(0, 1) ?? ''))
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

function tagged(content: string, tag: string): string {
  return content.trim() === '' ? content : `<${tag}>${content}</${tag}>`
}

/** What an abbreviation stands for, at its first appearance. */
function explanation(node: DomElement, explained: Set<string>): string {
  const title = collapsed(node.getAttribute('title') ?? '').trim()
  if (title === '' || title === node.textContent.trim() || explained.has(title)) return ''
  explained.add(title)
  return ` (${escapeInline(title)})`
}

function linked(content: string, href: string | null): string {
  const text = content.replaceAll(BREAK, ' ').trim()
  return href === null || text === '' ? text : `[${text}](${href})`
}

/** An empty `alt` says that the picture only decorates, unless it stands in a figure. */
function image(node: DomElement, links: Links): string {
  const alt = node.getAttribute('alt')
  const isPixel = ['width', 'height'].some((side) => /^[01](px)?$/.test(node.getAttribute(side) ?? ''))
  if (isPixel || alt?.trim() === '') return ''
  const text = escapeInline(collapsed(alt ?? '').trim())
  const sources = [node.getAttribute('src'), node.getAttribute('data-src')].filter(
    (each) => each !== null && each !== '',
  )
  const src = sources.map((each) => links.image(each ?? '')).find((each) => each !== null)
  return src === undefined ? text : `![${text}](${src})`
}
