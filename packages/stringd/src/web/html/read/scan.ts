import { ATTRIBUTES, RAW } from './elements.ts'

/** Values are as written, entities and all. */
export type Attributes = ReadonlyMap<string, string>

export interface HtmlSink {
  text(text: string): void
  /** The content of an element that holds no HTML. */
  raw(name: string, text: string): void
  open(name: string, attributes: Attributes, selfClosing: boolean): void
  close(name: string): void
}

interface Tag {
  readonly name: string
  readonly attributes: Attributes
  readonly selfClosing: boolean
  readonly end: number
}

/** Most tags have no attributes: they share this. */
const NONE = new Map<string, string>()

const TAG_NAME = /[a-z][^\s/>]*/iy
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(\s*=\s*)?/y
const UNQUOTED = /[^\s>]*/y
const BLANK = /[\s/]*/y

/** Takes HTML apart, in one pass and in time linear to its length, whatever it is. */
export function scanHtml(html: string, sink: HtmlSink): void {
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next !== at) sink.text(html.slice(at, next === -1 ? html.length : next))
    if (next === -1) return
    at = scanMarkup(html, next, sink)
  }
}

/** Reads what starts with the `<` at `at`, and returns where it ends. */
function scanMarkup(html: string, at: number, sink: HtmlSink): number {
  const next = html[at + 1] ?? ''
  if (/[a-z]/i.test(next)) return scanOpening(html, at, sink)
  if (next === '!' || next === '?') return commentEnd(html, at)
  if (next !== '/') return scanLiteral(html, at, sink)
  if (!/[a-z]/i.test(html[at + 2] ?? '')) return after(html, '>', at)
  const tag = readTag(html, at + 2)
  if (tag === null) return html.length
  sink.close(tag.name)
  return tag.end
}

/** A `<` that starts nothing, with all that follow it. */
function scanLiteral(html: string, at: number, sink: HtmlSink): number {
  let end = at + 1
  while (html[end] === '<' && !/[a-z/!?]/i.test(html[end + 1] ?? '')) end += 1
  sink.text(html.slice(at, end))
  return end
}

function scanOpening(html: string, at: number, sink: HtmlSink): number {
  const tag = readTag(html, at + 1)
  if (tag === null) return html.length
  if (!RAW.has(tag.name)) {
    sink.open(tag.name, tag.attributes, tag.selfClosing)
    return tag.end
  }
  const closing = new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi')
  closing.lastIndex = tag.end
  const end = closing.exec(html)?.index ?? html.length
  sink.raw(tag.name, html.slice(tag.end, end))
  return after(html, '>', end)
}

/** Null when the page ends inside the tag. */
function readTag(html: string, at: number): Tag | null {
  const name = matchAt(TAG_NAME, html, at)?.[0] ?? ''
  let attributes = NONE
  let end = at + name.length
  for (;;) {
    const blank = end + (matchAt(BLANK, html, end)?.[0].length ?? 0)
    if (blank >= html.length) return null
    if (html[blank] === '>') {
      return { name: name.toLowerCase(), attributes, selfClosing: html[blank - 1] === '/', end: blank + 1 }
    }
    if (attributes === NONE) attributes = new Map()
    end = readAttribute(html, blank, attributes)
  }
}

function readAttribute(html: string, at: number, attributes: Map<string, string>): number {
  const [whole = '', name = '', equals] = matchAt(ATTRIBUTE, html, at) ?? []
  const start = at + whole.length
  if (equals === undefined) return keep(attributes, name, '', start)
  const quote = html[start]
  if (quote !== '"' && quote !== "'") {
    const value = matchAt(UNQUOTED, html, start)?.[0] ?? ''
    return keep(attributes, name, value, start + value.length)
  }
  const end = html.indexOf(quote, start + 1)
  if (end === -1) return html.length
  return keep(attributes, name, html.slice(start + 1, end), end + 1)
}

function keep(attributes: Map<string, string>, name: string, value: string, end: number): number {
  const key = name.toLowerCase()
  if (ATTRIBUTES.has(key) && !attributes.has(key)) attributes.set(key, value)
  return end
}

function commentEnd(html: string, at: number): number {
  if (!html.startsWith('<!--', at)) return after(html, '>', at)
  return html.startsWith('<!-->', at) ? at + 5 : after(html, '-->', at + 2)
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(html)
}
