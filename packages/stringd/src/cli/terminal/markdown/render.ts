import { LIMITS } from '@string-os/protocol'
import MarkdownParser, { type MarkdownIt, type Token } from 'markdown-it'
import { type Line, lineWidth, paint, type Style, type StyledText } from '../styled-text.ts'
import { coloredCode } from './code-colors.ts'
import { htmlLines } from './html.ts'
import { inlineLines, type Manner } from './inline.ts'
import { type Align, type TextTable, tableLines } from './table.ts'
import { unclosedCode } from './unclosed-code.ts'
import { wrap } from './wrap.ts'

export interface MarkdownManner extends Manner {
  readonly width: number
}

/** Narrower than this nothing is laid out well, and wider nobody reads with ease. */
const LEAST_COLUMNS = 20
const MOST_COLUMNS = 120
/** What is indented keeps at least so many; more, and a terminal would break its lines a second time. */
const LEAST_INDENTED = 8

/** Markdown as a person reads it on a terminal. What it holds is never obeyed: only `paint` makes escape sequences. */
export function renderMarkdown(text: string, manner: MarkdownManner): string {
  return markdownLines(text, manner)
    .map((line) => paint(line, manner))
    .join('\n')
}

/** `isUnfinished`: more of the text comes. */
export function markdownLines(text: string, manner: MarkdownManner, isUnfinished = false): readonly Line[] {
  if (text.length > LIMITS.laidOutChars) return text.split('\n').map((line) => [{ text: line }])
  const parser = new MarkdownParser({ html: true, linkify: false })
  // Where a link leads is shown as it is written, never followed by us.
  parser.normalizeLink = (url) => url
  parser.validateLink = () => true
  if (isUnfinished) parser.inline.ruler.before('backticks', 'unclosed-code', unclosedCode)
  const width = Math.min(MOST_COLUMNS, Math.max(LEAST_COLUMNS, manner.width))
  return blocks(treeOf(parser.parse(text, { references: shortcutsIn(text, parser) })), { ...manner, width })
}

/** `[label][@id]` is how String shows a link that `/open @id` follows: it needs no definition. */
function shortcutsIn(text: string, { utils }: MarkdownIt): Record<string, { href: string; title: string }> {
  const ids = [...text.matchAll(/\]\[(@[a-z0-9_.-]{1,200})\]/g)].map(([, id = '']) => id)
  return Object.fromEntries(ids.map((id) => [utils.normalizeReference(id), { href: id, title: '' }]))
}

/** A token with those between its opening and its closing one. */
interface Node {
  readonly token: Token
  readonly children: readonly Node[]
}

function treeOf(tokens: readonly Token[]): readonly Node[] {
  const root: Node[] = []
  const open: Node[][] = [root]
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop()
      continue
    }
    const children: Node[] = []
    open.at(-1)?.push({ token, children })
    if (token.nesting === 1) open.push(children)
  }
  return root
}

/** Blocks with an empty line between them; in a tight list there is none. */
function blocks(nodes: readonly Node[], manner: MarkdownManner, isTight = false): readonly Line[] {
  const all: Line[] = []
  for (const node of nodes) {
    const lines = block(node, manner)
    if (lines.length === 0) continue
    if (all.length > 0 && !isTight) all.push([])
    for (const line of lines) all.push(line)
  }
  return all
}

function block({ token, children }: Node, manner: MarkdownManner): readonly Line[] {
  switch (token.type) {
    case 'heading_open':
      return heading(token, children, manner)
    case 'paragraph_open':
      return paragraph(children, manner)
    case 'inline':
      return flow(inlineLines(token.children ?? [], manner), manner.width)
    case 'bullet_list_open':
    case 'ordered_list_open':
      return list(token, children, manner)
    case 'blockquote_open':
      return prefixed(blocks(children, narrower(manner, 2)), [{ text: '│ ', styles: ['dim'] }])
    case 'fence':
    case 'code_block':
      return code(token, manner)
    case 'hr':
      return [[{ text: '─'.repeat(manner.width), styles: ['dim'] }]]
    case 'html_block':
      return htmlLines(token.content).flatMap((line) => wrap(line, manner.width))
    case 'table_open':
      return tableLines(tableOf(children, manner), manner.width)
    default:
      return token.content === '' ? blocks(children, manner) : plain(token.content)
  }
}

const HEADINGS: readonly (readonly Style[])[] = [['bold', 'underline'], ['bold'], ['bold', 'dim']]

function heading({ tag, markup }: Token, children: readonly Node[], manner: MarkdownManner): readonly Line[] {
  const level = Number(tag.slice(1))
  const styles = HEADINGS[Math.min(level, HEADINGS.length) - 1] ?? []
  const lines = children.flatMap(({ token }) => inlineLines(token.children ?? [], manner, styles))
  // Underlined headings are marked with = and -.
  const mark = markup.startsWith('#') ? markup : '#'.repeat(level)
  const shown = manner.color ? lines : lines.map((line) => [{ text: `${mark} ` }, ...line])
  return shown.flatMap((line) => wrap(line, manner.width))
}

function paragraph(children: readonly Node[], manner: MarkdownManner): readonly Line[] {
  return flow(
    children.flatMap(({ token }) => inlineLines(token.children ?? [], manner)),
    manner.width,
  )
}

/** Lines stay as they were broken where they fit; a paragraph that does not is broken anew. */
function flow(lines: readonly (readonly StyledText[])[], width: number): readonly Line[] {
  if (lines.every((line) => lineWidth(line) <= width)) return lines
  const joined = lines.flatMap((line, index): readonly StyledText[] => (index === 0 ? line : [{ text: ' ' }, ...line]))
  return wrap(joined, width)
}

function list(token: Token, items: readonly Node[], manner: MarkdownManner): readonly Line[] {
  const isOrdered = token.type === 'ordered_list_open'
  const first = Number(token.attrGet('start') ?? 1)
  const isTight = items.every(({ children }) =>
    children.every(({ token: { type, hidden } }) => type !== 'paragraph_open' || hidden),
  )
  const all: Line[] = []
  for (const [index, { children }] of items.entries()) {
    const mark = isOrdered ? `${first + index}. ` : '• '
    const lines = blocks(children, narrower(manner, mark.length), isTight)
    if (index > 0 && !isTight) all.push([])
    for (const line of hanging(lines.length === 0 ? [[]] : lines, mark)) all.push(line)
  }
  return all
}

function hanging(lines: readonly Line[], mark: string): readonly Line[] {
  const indent = ' '.repeat(mark.length)
  return lines.map((line, index) => [
    index === 0 ? { text: mark, styles: ['dim'] as const } : { text: line.length === 0 ? '' : indent },
    ...line,
  ])
}

function code({ content, info }: Token, { color }: MarkdownManner): readonly Line[] {
  const text = content.replace(/\n$/, '')
  const language = info.trim()
  const head: readonly Line[] = language === '' ? [] : [[{ text: `  ${language}`, styles: ['dim'] }]]
  const plainly = (): readonly Line[] => text.split('\n').map((line) => [{ text: line, styles: ['cyan'] }])
  const lines = (color ? coloredCode(text, language.split(/\s/, 1)[0] ?? '') : null) ?? plainly()
  // Code is never broken: what is copied must be what was written.
  return [...head, ...prefixed(lines, [{ text: '    ' }])]
}

function tableOf(parts: readonly Node[], manner: MarkdownManner): TextTable {
  const rows = parts.flatMap(({ children }) => children)
  const aligns = (rows[0]?.children ?? []).map(({ token }) => alignOf(token))
  return {
    aligns,
    rows: rows.map(({ children }, index) =>
      children.map((cell) =>
        cell.children.flatMap(({ token }) =>
          inlineLines(token.children ?? [], manner, index === 0 ? ['bold'] : []).flat(),
        ),
      ),
    ),
  }
}

function alignOf(token: Token): Align {
  const style = String(token.attrGet('style') ?? '')
  return style.includes('right') ? 'right' : style.includes('center') ? 'center' : 'left'
}

function plain(text: string): readonly Line[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => [{ text: line, styles: ['dim'] }])
}

function prefixed(lines: readonly Line[], prefix: Line): readonly Line[] {
  return lines.map((line) => [...prefix, ...line])
}

function narrower(manner: MarkdownManner, columns: number): MarkdownManner {
  return { ...manner, width: Math.max(LEAST_INDENTED, manner.width - columns) }
}
