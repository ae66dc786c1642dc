import { WEB_LIMITS } from '../../limits.ts'
import { attribute, type HtmlElement, type HtmlNode, textOf } from '../read/tree.ts'
import { leadingRun, trailingRun } from './edges.ts'
import { emphasis, type Neighbours } from './emphasis.ts'
import { BREAK, codeSpan, collapsed, escapeInline } from './escape.ts'
import { type Links, linked, picture } from './links.ts'
import { type Part, readRun } from './run.ts'

/** Turns text and inline elements into Markdown on one line, with `BREAK` for every line break. */
export type InlineWriter = (nodes: readonly HtmlNode[]) => string

export function createInlineWriter(links: Links): InlineWriter {
  const page: PageState = { links, explained: new Set() }
  return (nodes) => writeRuns(nodes, page)
}

interface PageState {
  readonly links: Links
  /** What the abbreviations so far stand for. */
  readonly explained: Set<string>
}

/** An element with what stands around it. */
interface Place extends Neighbours {
  readonly element: HtmlElement
  readonly text: string
}

type Rule = (content: string, place: Place, page: PageState) => string

const strong: Rule = (content, place) => emphasis(content, '**', 'strong', place)
const slanted: Rule = (content, place) => emphasis(content, '*', 'em', place)
const struck: Rule = (content, place) => emphasis(content, '~~', 'del', place)
const code: Rule = (_content, { text }) => codeSpan(text)
const tagged: Rule = (content, { element: { name } }) =>
  content.trim() === '' ? content : `<${name}>${content}</${name}>`

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['br', () => BREAK],
  ['img', (_content, { element }, { links }) => picture(element, links)],
  ['a', (content, { element }, { links }) => linked(content, links.link(attribute(element, 'href')))],
  ['abbr', (content, place, { explained }) => content + explanation(place, explained)],
  ['q', (content) => (content.trim() === '' ? '' : `“${content}”`)],
  ['sup', (content, ...rest) => (/^\[.*\)$/.test(content) ? content : tagged(content, ...rest))],
  ...rows(tagged, 'sub', 'mark'),
  ...rows(code, 'code', 'kbd', 'samp', 'tt'),
  ...rows(strong, 'b', 'strong'),
  ...rows(slanted, 'i', 'em', 'cite', 'dfn', 'var'),
  ...rows(struck, 's', 'del', 'strike'),
])

function rows(rule: Rule, ...names: readonly string[]): [string, Rule][] {
  return names.map((name) => [name, rule])
}

/** Long runs go piece by piece, and no further than a page may get. */
function writeRuns(nodes: readonly HtmlNode[], page: PageState): string {
  if (nodes.every(isPlain)) return plainText(nodes)
  const pieces: string[] = []
  let length = 0
  for (let at = 0; at < nodes.length && length < WEB_LIMITS.markdownChars; at += WEB_LIMITS.htmlInlineRun) {
    const piece = writeRun(nodes.slice(at, at + WEB_LIMITS.htmlInlineRun), page)
    length += piece.length
    pieces.push(piece)
  }
  return collapsed(pieces.join('')).trim()
}

/** Most runs are text and line breaks only. */
function plainText(nodes: readonly HtmlNode[]): string {
  const text = nodes.map((node) => (typeof node === 'string' ? node : BREAK)).join('')
  return escapeInline(collapsed(text).trim())
}

function isPlain(node: HtmlNode): boolean {
  return typeof node === 'string' || node.name === 'br'
}

/** The spaces at the edges of a run part it from the next. */
function writeRun(nodes: readonly HtmlNode[], page: PageState): string {
  const [first = '', last = ''] = [nodes[0], nodes.at(-1)].map((node) => textOf(node ?? ''))
  const text = writeParts(readRun(nodes), page).trimEnd()
  return `${/^\s/.test(first) ? ' ' : ''}${text}${last.trimEnd() === last ? '' : ' '}`
}

function writeParts(parts: readonly Part[], page: PageState): string {
  return parts
    .map((part, index) => {
      const { element, text } = part
      if (element === null) return escapeInline(text)
      return writePart(part, { element, text, before: parts[index - 1], after: parts[index + 1] }, page)
    })
    .join('')
}

/** Space at the edges of an element goes outside: `** a **` is no emphasis. */
function writePart(part: Part, place: Place, page: PageState): string {
  const content = writeParts(part.parts, page)
  const [before, after] = outerSpace(place)
  if (part.isBlank) return before + after
  const inner = before === '' && after === '' ? content : content.trim()
  const rule = RULES.get(place.element.name)
  return before + (rule === undefined ? inner : rule(inner, place, page)) + after
}

/** A space is not put out where one stands already. */
function outerSpace({ text, before, after }: Place): [string, string] {
  const start = text.slice(0, text.length - text.trimStart().length)
  const end = start === text ? '' : text.slice(text.trimEnd().length)
  return [
    before?.text.endsWith(' ') ? start.slice(leadingRun(start, ' ')) : start,
    after?.text.startsWith(' ') ? end.slice(0, end.length - trailingRun(end, ' ')) : end,
  ]
}

/** What an abbreviation stands for, at its first appearance. */
function explanation({ element, text }: Place, explained: Set<string>): string {
  const title = collapsed(attribute(element, 'title')).trim()
  if (title === '' || title === text.trim() || explained.has(title)) return ''
  explained.add(title)
  return ` (${escapeInline(title)})`
}
