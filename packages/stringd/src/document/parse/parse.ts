import { LIMITS } from '@string-os/protocol'
import type { Token } from 'markdown-it'
import type { ActionSource, Directive, Document, Link, Span, Warning } from '../document.ts'
import { Lines } from '../text/line-offsets.ts'
import { unseenWarnings } from '../text/unseen.ts'
import { findBlocks, findSections } from './find-blocks.ts'
import { findLinks } from './find-links.ts'
import { readFrontMatter } from './front-matter.ts'
import { createMarkdown, type Definition } from './markdown.ts'

const ACTION = /^act\.([a-z][a-z0-9_-]*)(\.response)?$/
const BEGINNING = /^ {0,3}(`{3,}|~{3,})[ \t]*act\.[a-z]/
const DIRECTIVE = /^!([a-z][a-z0-9-]*)(?::([a-z][a-z0-9-]*))?$/
const SHORTCUT_DEFINITION = /^[\s>]*\[@[a-z][a-z0-9_-]*\]:/

/** Makes a parser of documents: text in, everything it holds out. */
export function createDocumentParser(): (text: string) => Document {
  const parseMarkdown = createMarkdown()
  return (text) => {
    const { frontMatter, span, warnings } = readFrontMatter(text)
    const lines = new Lines(text)
    const firstLine = span.end === 0 ? 0 : lines.at(span.end - 1) + 1
    const parsed = parseMarkdown(text.slice(lines.start(firstLine)))
    const found = findBlocks(parsed.tokens, lines, firstLine)
    const actions = findActions(parsed.tokens, lines, firstLine)
    const all = findLinks(text, parsed, lines, firstLine)
    const marks = all.flatMap((link) => directiveOf(text, link, lines))
    const directives = marks.filter((mark) => mark.name !== '')
    const lineLinks = new Set(marks.map(({ start }) => start))
    const definitions = shortcutDefinitions(parsed.definitions, lines, firstLine)
    return withFewParts({
      text,
      frontMatter,
      blocks: found.blocks,
      sections: findSections(parsed, text, lines, firstLine),
      links: all.filter(({ start }) => !lineLinks.has(lines.start(lines.at(start)))),
      directives,
      actions,
      hidden: ordered([
        span,
        ...found.markers,
        ...actions,
        ...definitions,
        ...marks.filter(({ type, name }) => type !== 'include' || name === ''),
      ]),
      warnings: byLine([
        ...warnings,
        ...found.warnings,
        ...doubles(actions, lines),
        ...endless(actions),
        ...nameless(marks),
        ...unseenWarnings(text),
      ]),
    })
  }
}

/** What nobody could name any more does not count: a page of millions of links is read as it stands. */
function withFewParts(document: Document): Document {
  const most = LIMITS.documentParts
  const { blocks, sections, links, directives, actions, hidden } = document
  const lists = { links, sections, blocks, directives, actions, hidden }
  if (Object.values(lists).every(({ length }) => length <= most)) return document
  return {
    ...document,
    links: links.slice(0, most),
    sections: sections.slice(0, most),
    blocks: blocks.slice(0, most),
    directives: directives.slice(0, most),
    actions: actions.slice(0, most),
    hidden: hidden.slice(0, most),
    warnings: [
      {
        line: 1,
        message: `Of links, sections, blocks and actions, only the first ${most} of each count`,
        next: 'Make several documents of it',
      },
      ...document.warnings.slice(0, LIMITS.documentWarnings - 1),
    ],
  }
}

function findActions(tokens: readonly Token[], lines: Lines, firstLine: number): ActionSource[] {
  return tokens.flatMap(({ type, info, map, content, markup }) => {
    const [, id, response] = type === 'fence' ? (ACTION.exec(info.trim()) ?? []) : []
    if (id === undefined || map === null) return []
    const part = response === undefined ? ('action' as const) : ('response' as const)
    const first = map[0] + firstLine
    const line = first + 2
    const open = unclosed(content, markup, line, map[1] - map[0])
    const unclosedIn = open === null ? {} : { unclosed: open }
    return [{ id, part, content, line, ...unclosedIn, ...lines.span(first, map[1] + firstLine) }]
  })
}

/** A block that another is to begin in was not meant to go on; `rows` is how many lines it takes with its fences. */
function unclosed(
  content: string,
  markup: string,
  line: number,
  rows: number,
): NonNullable<ActionSource['unclosed']> | null {
  const written = content.split('\n')
  const inner = written.findIndex((text) => BEGINNING.exec(text)?.[1]?.startsWith(markup) === true)
  if (inner !== -1) return { before: line + inner }
  const isClosed = rows > 1 + written.length - (written.at(-1) === '' ? 1 : 0)
  return isClosed ? null : { before: null }
}

/** Up to the end of the document, or of the list that it stands in. */
function endless(actions: readonly ActionSource[]): Warning[] {
  const open = actions.filter(({ unclosed: found }) => found?.before === null)
  return open.map(({ id, part, line }) => ({
    line: line - 1,
    message: `The block act.${id}${part === 'response' ? '.response' : ''} is not closed: all that follows belongs to it`,
    next: 'Write ``` alone on a line where it ends',
  }))
}

/** A link whose label is `!type:name` or `!type`, with an empty name then, and that has its line to itself. */
function directiveOf(text: string, link: Link, lines: Lines): Directive[] {
  const [, type, name = ''] = DIRECTIVE.exec(link.label) ?? []
  if (type === undefined) return []
  const line = lines.at(link.start)
  if (lines.content(line).trim() !== text.slice(link.start, link.end)) return []
  return [{ type, name, target: link.target, line: line + 1, ...lines.span(line, line + 1) }]
}

/** Other types may go without a name: they are none of ours. */
function nameless(marks: readonly Directive[]): Warning[] {
  const ours = marks.filter(({ type }) => type === 'include' || type === 'nav')
  return ours.flatMap(({ type, name, target, line }) => [
    ...(name === '' ? [{ line, message: `[!${type}] needs a name`, next: `Write [!${type}:name](path)` }] : []),
    ...(target === ''
      ? [{ line, message: `[!${type}:${name}] names no file`, next: `Write [!${type}:${name || 'name'}](path)` }]
      : []),
  ])
}

function shortcutDefinitions(definitions: readonly Definition[], lines: Lines, firstLine: number): Span[] {
  return definitions
    .filter(({ from }) => SHORTCUT_DEFINITION.test(lines.content(from + firstLine)))
    .map(({ from, to }) => lines.span(from + firstLine, to + firstLine))
}

function doubles(actions: readonly ActionSource[], lines: Lines): Warning[] {
  const seen = new Set<string>()
  return actions.flatMap(({ id, part, start }) => {
    const key = `${id} ${part}`
    const again = seen.has(key)
    seen.add(key)
    const what = part === 'action' ? `Action ${id}` : `The response of action ${id}`
    const next = 'Give the second another name, or remove it'
    return again ? [{ line: lines.at(start) + 1, message: `${what} stands twice; the first is used`, next }] : []
  })
}

function ordered(spans: readonly Span[]): Span[] {
  return spans
    .filter(({ start, end }) => end > start)
    .map(({ start, end }) => ({ start, end }))
    .sort((a, b) => a.start - b.start)
}

/** In order; of very many only the first, for nobody reads more. */
export function byLine(warnings: readonly Warning[]): Warning[] {
  return [...warnings].sort((a, b) => a.line - b.line).slice(0, LIMITS.documentWarnings)
}
