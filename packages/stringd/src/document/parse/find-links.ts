import type { Link } from '../document.ts'
import type { Lines } from '../text/line-offsets.ts'
import { paragraphSource, rowSources, type ToSource } from './inline-source.ts'
import type { Parsed, RawLink } from './markdown.ts'

/** A piece of inline text that has links, with the way back to the document. */
interface Piece {
  readonly content: string
  readonly links: readonly RawLink[]
  readonly toSource: ToSource
}

/** All links of a document with their places in its text. `firstLine` is where the parsed part begins. */
export function findLinks(text: string, parsed: Parsed, lines: Lines, firstLine: number): Link[] {
  const links: Link[] = []
  for (const { content, links: found, toSource } of piecesWithLinks(parsed, lines, firstLine)) {
    for (const raw of found) {
      const link = linkOf(text, content, raw, toSource, lines)
      if (link !== null) links.push(link)
    }
  }
  return links
}

/** Paragraphs and headings know their lines; the cells of a table only share the line of their row. */
function* piecesWithLinks(parsed: Parsed, lines: Lines, firstLine: number): Generator<Piece> {
  let row = { line: 0, cells: [] as { content: string; links: RawLink[] }[] }
  for (const { type, map, content } of parsed.tokens) {
    if (type === 'tr_open') row = { line: (map?.[0] ?? 0) + firstLine, cells: [] }
    else if (type === 'tr_close') yield* cellsWithLinks(row, lines)
    else if (type === 'inline' && map === null) row.cells.push({ content, links: parsed.links(content) })
    else if (type === 'inline' && map !== null) {
      const links = parsed.links(content)
      if (links.length > 0) yield { content, links, toSource: paragraphSource(content, map[0] + firstLine, lines) }
    }
  }
}

function* cellsWithLinks(
  { line, cells }: { line: number; cells: { content: string; links: RawLink[] }[] },
  lines: Lines,
): Generator<Piece> {
  if (cells.every(({ links }) => links.length === 0)) return
  const sources = rowSources(
    cells.map(({ content }) => content),
    line,
    lines,
  )
  for (const [index, { content, links }] of cells.entries()) {
    const toSource = sources[index]
    if (toSource !== undefined) yield { content, links, toSource }
  }
}

function linkOf(text: string, content: string, raw: RawLink, toSource: ToSource, lines: Lines): Link | null {
  const start = toSource(raw.start)
  const last = toSource(raw.end - 1)
  const labelEnd = toSource(raw.labelEnd)
  if (start === null || last === null || labelEnd === null) return null
  // What stands there must be what was parsed; a place that cannot be found for certain is left alone.
  const fits =
    text.charAt(start) === '[' && text.charAt(labelEnd) === ']' && text.charAt(last) === content.charAt(raw.end - 1)
  if (!fits) return null
  const { id, label } = readId(text.slice(start + 1, labelEnd), content.slice(raw.labelEnd, raw.end))
  return { start, end: last + 1, line: lines.at(start) + 1, label, target: raw.target, id }
}

/** `[@id Label](target)`, `[Label][@id]`, `[@id]` and `[@id][]` name their shortcut. */
function readId(label: string, behind: string): { id: string | null; label: string } {
  const [, id, blank = '', rest = ''] = /^@([a-z][a-z0-9_-]*)(?:(\s+)([\s\S]*))?$/.exec(label) ?? []
  // Where the label goes on in the next line, the mark of a quote comes before it.
  const words = /[\r\n]/.test(blank) ? rest.replace(/^[>\s]+/, '') : rest
  if (id !== undefined) return { id, label: words === '' ? id : words }
  const [, reference] = /^\]\[@([a-z][a-z0-9_-]*)\]$/i.exec(behind) ?? []
  // References are matched without regard to case.
  return { id: reference?.toLowerCase() ?? null, label }
}
