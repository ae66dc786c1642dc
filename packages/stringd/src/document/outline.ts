import { LIMITS, truncate } from '@string-os/protocol'
import type { Document, Span } from './document.ts'
import { lastAtMost } from './text/line-offsets.ts'

/** A part of a document that can be opened by itself. */
export interface OutlineEntry extends Span {
  /** `#id`; null where only its lines name it. */
  readonly address: string | null
  readonly title: string
  /** How many other parts it lies in. */
  readonly depth: number
  /** Its lines in the text, counted from 1, both ends included. */
  readonly from: number
  readonly to: number
}

type Part = Pick<OutlineEntry, 'address' | 'title'> & Span

/** Headings, blocks and includes of a document, in their order; of a text without any, what is declared in it, or its pieces. */
export function outlineOf(document: Document, within: Span): OutlineEntry[] {
  const inside = ({ start, end }: Span): boolean => start >= within.start && end <= within.end
  const named = namedParts(document).filter(inside)
  const parts = named.length > 0 ? named : textParts(document.text.slice(within.start, within.end), within.start)
  return nested(parts, document.text)
}

function namedParts({ sections, blocks, directives }: Document): Part[] {
  const all = [
    ...sections.map(({ slug, title, start, end }) => ({ address: `#${slug}`, title, start, end })),
    ...blocks.map(({ id, start, end }) => ({ address: `#${id}`, title: '(block)', start, end })),
    ...directives
      .filter(({ type }) => type === 'include')
      .map(({ name, target, start, end }) => ({ address: `#${name}`, title: `(includes ${target})`, start, end })),
  ]
  return all.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** What begins at the edge of a text, by words that many languages share; and `[section]`, `key:` and `target:`. */
const DECLARED =
  /^(?:(?:export|default|declare|public|private|protected|static|abstract|async|pub(?:\([a-z:]+\))?|unsafe|extern|final|inline|open|sealed|data)\s+)*(?:function|class|interface|type|enum|struct|union|trait|impl|def|fn|func|fun|module|namespace|package|mod|const|let|var|val|sub|object|record|protocol|extension|CREATE|describe)\b|^\[[^\]]+\]\s*$|^[A-Za-z_][\w.-]*:(?:\s|$)|^[A-Za-z_]\w*[ \t*&]+[\w*&:~]+\([^;]*$/

/** Where nothing is declared, a text has this many pieces at most, and each this many lines at least. */
const PIECES = 200
const PIECE_LINES = 100

function textParts(text: string, offset: number): Part[] {
  const starts = lineStarts(text)
  const begins = declarations(text, starts)
  const size = Math.max(PIECE_LINES, Math.ceil(starts.length / PIECES))
  const chosen = begins.length > 1 ? begins : starts.filter((_, line) => line % size === 0)
  return chosen.map((start, index) => {
    const end = chosen[index + 1] ?? text.length
    const title = /\S.*/.exec(text.slice(start, Math.min(end, start + LIMITS.foundLineChars)))?.[0] ?? ''
    return { address: null, title: truncate(title.trim(), TITLE_CHARS), start: start + offset, end: end + offset }
  })
}

const TITLE_CHARS = 100

/** Of more lines than an edit takes, nobody asks each. */
function declarations(text: string, starts: readonly number[]): number[] {
  if (starts.length > LIMITS.editedLines) return []
  return starts.filter((start, line) => {
    const end = Math.min((starts[line + 1] ?? text.length + 1) - 1, start + LIMITS.foundLineChars)
    return DECLARED.test(text.slice(start, end))
  })
}

/** Where lines begin, as edits count them. */
function lineStarts(text: string): number[] {
  const starts = text === '' ? [] : [0]
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  return starts
}

function nested(parts: readonly Part[], text: string): OutlineEntry[] {
  const starts = lineStarts(text)
  const around: number[] = []
  return parts.map((part) => {
    while ((around.at(-1) ?? Number.POSITIVE_INFINITY) <= part.start) around.pop()
    const depth = around.length
    around.push(part.end)
    const last = Math.max(part.start, part.end - 1)
    return { ...part, depth, from: lastAtMost(starts, part.start) + 1, to: lastAtMost(starts, last) + 1 }
  })
}
