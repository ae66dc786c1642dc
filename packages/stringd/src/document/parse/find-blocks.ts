import type { Token } from 'markdown-it'
import type { Block, Section, Span, Warning } from '../document.ts'
import type { Lines } from '../text/line-offsets.ts'
import type { Parsed } from './markdown.ts'
import { githubSlug } from './slug.ts'

const MARKER = /^<!--\s*([#/])([a-z][a-z0-9-]*)\s*-->$/
// Inside these elements HTML keeps everything as it is, so that a marker there is no marker.
const RAW_ELEMENT = /^\s*<(script|pre|style|textarea)[\s>]/i

export interface Found {
  readonly blocks: Block[]
  readonly markers: Span[]
  readonly warnings: Warning[]
}

interface Open {
  readonly id: string
  readonly line: number
}

interface Closed extends Open {
  /** The line of the closing marker. */
  readonly end: number
}

/** Blocks between markers. Of two with one id the one that opens first wins; what is not closed is no block. */
export function findBlocks(tokens: readonly Token[], lines: Lines, firstLine: number): Found {
  const found: Found = { blocks: [], markers: [], warnings: [] }
  const open: Open[] = []
  // Ids that may be open: closing what never was costs no search.
  const ids = new Set<string>()
  const closed: Closed[] = []
  for (const line of markerLines(tokens, lines, firstLine)) {
    const [, kind, id = ''] = MARKER.exec(lines.content(line).trim()) ?? []
    found.markers.push(lines.span(line, line + 1))
    if (kind === '#') {
      open.push({ id, line })
      ids.add(id)
    } else closeBlock(id, line, open, ids, closed, found)
  }
  for (const block of open) found.warnings.push(unclosed(block))
  takeFirst(closed, lines, found)
  return found
}

function closeBlock(id: string, line: number, open: Open[], ids: Set<string>, closed: Closed[], found: Found): void {
  const isOpen = ids.has(id)
  const index = isOpen ? open.findLastIndex((candidate) => candidate.id === id) : -1
  const [opened, ...inner] = index === -1 ? [] : open.splice(index)
  if (isOpen && index === -1) ids.delete(id)
  for (const block of inner) found.warnings.push(unclosed(block))
  if (opened !== undefined) closed.push({ ...opened, end: line })
  else
    found.warnings.push({
      line: line + 1,
      message: `Block #${id} is closed but was not opened`,
      next: `Write <!-- #${id} --> where it begins, alone on a line, or remove this one`,
    })
}

function takeFirst(closed: readonly Closed[], lines: Lines, found: Found): void {
  const taken = new Set<string>()
  for (const { id, line, end } of closed.toSorted((a, b) => a.line - b.line)) {
    if (taken.has(id)) found.warnings.push(twice(id, line))
    else found.blocks.push({ id, ...lines.span(line + 1, end) })
    taken.add(id)
  }
}

function twice(id: string, line: number): Warning {
  const next = 'Give the second another name, or remove it'
  return { line: line + 1, message: `Block #${id} stands twice; the first is used`, next }
}

function unclosed({ id, line }: Open): Warning {
  const next = `Write <!-- /${id} --> where it ends, alone on a line`
  return { line: line + 1, message: `Block #${id} is not closed`, next }
}

function markerLines(tokens: readonly Token[], lines: Lines, firstLine: number): number[] {
  const result: number[] = []
  for (const { type, map, content } of tokens) {
    if (type !== 'html_block' || map === null || RAW_ELEMENT.test(content)) continue
    for (let line = map[0] + firstLine; line < map[1] + firstLine; line += 1) {
      if (MARKER.test(lines.content(line).trim())) result.push(line)
    }
  }
  return result
}

/** The sections that headings of the document itself begin; headings inside quotes and lists begin none. */
export function findSections({ tokens, plainText }: Parsed, text: string, lines: Lines, firstLine: number): Section[] {
  const headings: { level: number; title: string; start: number }[] = []
  for (const [index, { type, level, tag, map }] of tokens.entries()) {
    if (type !== 'heading_open' || level !== 0 || map === null) continue
    headings.push({
      level: Number(tag.slice(1)),
      title: plainText(tokens[index + 1]?.content ?? ''),
      start: lines.start(map[0] + firstLine),
    })
  }
  const ends = sectionEnds(headings, text.length)
  const slug = githubSlug()
  return headings.map(({ level, title, start }, index) => ({
    slug: slug(title),
    title,
    level,
    start,
    end: ends[index] ?? text.length,
  }))
}

/** From the last heading to the first, the nearest later heading of every level is known. */
function sectionEnds(headings: readonly { level: number; start: number }[], textEnd: number): number[] {
  const next = Array.from({ length: 7 }, () => textEnd)
  const ends: number[] = []
  for (const { level, start } of headings.toReversed()) {
    ends.push(Math.min(...next.slice(1, level + 1)))
    next[level] = start
  }
  return ends.reverse()
}
