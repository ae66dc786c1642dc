import { WEB_LIMITS } from '../../limits.ts'
import { BLOCKS, HEADINGS } from '../read/elements.ts'
import { attribute, elementsOf, findElement, type HtmlElement, type HtmlNode, textOf } from '../read/tree.ts'
import { codeText } from './code-block.ts'
import { BREAK, codeSpan } from './escape.ts'
import { type MarkdownBlock, oneLine, type Writer } from './writer.ts'

interface Row {
  readonly cells: readonly string[]
  readonly elements: readonly HtmlElement[]
}

const HEAVY: ReadonlySet<string> = new Set(['table', 'blockquote', 'figure', 'hr', 'details', ...HEADINGS])

/** Whether a table only arranges things: a table of Markdown holds nothing but lines of text. */
export function isLayout(table: HtmlElement): boolean {
  const role = attribute(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  const rows = rowsIn(table)
  const hasHead = rows.some((row) => cellsIn(row).some(({ name }) => name === 'th'))
  if (!hasHead && rows.every((row) => cellsIn(row).length <= 1)) return true
  return findElement(table, ({ name }) => name === 'table' || (!hasHead && HEAVY.has(name))) !== null
}

/** The cells of a layout table, in reading order. */
export function layoutCells(table: HtmlElement): HtmlElement[] {
  const captions = elementsOf(table).filter(({ name }) => name === 'caption')
  return [...captions, ...rowsIn(table).flatMap(cellsIn)]
}

export function tableBlocks(table: HtmlElement, writer: Writer): MarkdownBlock[] {
  const caption = elementsOf(table).find(({ name }) => name === 'caption')
  const title = caption === undefined ? '' : oneLine(writer, spacedNodes(caption))
  const grid = tableGrid(table, writer)
  const blocks: MarkdownBlock[] = title === '' ? [] : [{ kind: 'text', text: title }]
  return grid === null ? blocks : [...blocks, { kind: 'other', text: grid }]
}

/** What is in an element, a space around each block. */
function spacedNodes({ children }: HtmlElement): HtmlNode[] {
  return children.flatMap((node) =>
    typeof node === 'string' || !BLOCKS.has(node.name) ? [node] : [' ', ...spacedNodes(node), ' '],
  )
}

function tableGrid(table: HtmlElement, writer: Writer): string | null {
  const rows = filledRows(rowsIn(table), writer)
  const [first] = rows
  if (first === undefined) return null
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1)
  const isHead = isHeadRow(first)
  const head = Array.from({ length: width }, (_, column) => (isHead ? (first.cells[column] ?? '') : ''))
  const aligned = Array.from({ length: width }, (_, column) =>
    alignment(first.elements[column], rows[1]?.elements[column]),
  )
  return [head, aligned, ...rows.slice(isHead ? 1 : 0).map(({ cells }) => cells)].map(line).join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** The rows with their cells spread over the columns. Rows without text are left out. */
function filledRows(rows: readonly HtmlElement[], writer: Writer): Row[] {
  const taken = new Map<number, number>()
  return rows.map((row) => fillRow(row, taken, writer)).filter(({ cells }) => cells.some((text) => text !== ''))
}

/** `taken` says for how many more rows a cell from above reaches down, by column. */
function fillRow(row: HtmlElement, taken: Map<number, number>, writer: Writer): Row {
  const cells: string[] = []
  const elements: HtmlElement[] = []
  const put = (text: string, element: HtmlElement | null) => {
    cells.push(text)
    if (element !== null) elements[cells.length - 1] = element
  }
  for (const cell of cellsIn(row)) {
    skipTaken(taken, cells)
    const rowSpan = span(cell, 'rowspan')
    for (let column = 0; column < span(cell, 'colspan'); column += 1) {
      if (rowSpan > 1 && cells.length < WEB_LIMITS.tableTrackedColumns) taken.set(cells.length, rowSpan - 1)
      put(column === 0 ? cellText(cell, writer) : '', cell)
    }
  }
  skipTaken(taken, cells)
  return { cells, elements }
}

function skipTaken(taken: Map<number, number>, cells: string[]): void {
  for (let left = taken.get(cells.length); left !== undefined && left > 0; left = taken.get(cells.length)) {
    taken.set(cells.length, left - 1)
    cells.push('')
  }
}

function span(cell: HtmlElement, name: string): number {
  const value = Number.parseInt(attribute(cell, name), 10)
  return Number.isNaN(value) ? 1 : Math.min(Math.max(value, 1), WEB_LIMITS.tableSpan)
}

/** Column heads only; one empty corner may stand among them. */
function isHeadRow({ elements }: Row): boolean {
  if (elements[0]?.parent?.parent?.name === 'thead') return true
  return elements.every((cell, column) => cell.name === 'th' || (column === 0 && textOf(cell).trim() === ''))
}

function alignment(...cells: readonly (HtmlElement | undefined)[]): string {
  for (const cell of cells) {
    if (cell === undefined) continue
    const style = /text-align\s*:\s*(left|center|right)/i.exec(attribute(cell, 'style'))?.[1]
    const side = (style ?? attribute(cell, 'align')).toLowerCase()
    if (side === 'left') return ':---'
    if (side === 'center') return ':---:'
    if (side === 'right') return '---:'
  }
  return '---'
}

function cellText(cell: HtmlElement, writer: Writer): string {
  const lines: string[] = []
  collectLines(cell, lines, writer)
  return lines.join('<br>').replaceAll('|', '\\|')
}

/** The lines of text in a cell, whatever blocks they stand in. */
function collectLines(parent: HtmlElement, lines: string[], writer: Writer): void {
  let run: HtmlNode[] = []
  const flush = () => {
    for (const each of writer.inline(run).split(BREAK)) if (each.trim() !== '') lines.push(each.trim())
    run = []
  }
  for (const node of parent.children) {
    if (typeof node === 'string' || !BLOCKS.has(node.name)) run.push(node)
    else {
      flush()
      collectBlock(node, lines, writer)
    }
  }
  flush()
}

function collectBlock(block: HtmlElement, lines: string[], writer: Writer): void {
  if (block.name === 'pre') {
    for (const each of codeText(block).split('\n')) if (each.trim() !== '') lines.push(codeSpan(each))
    return
  }
  const start = lines.length
  collectLines(block, lines, writer)
  const first = lines[start]
  if (block.name === 'li' && first !== undefined) lines[start] = `• ${first}`
}

function rowsIn(table: HtmlElement): HtmlElement[] {
  return elementsOf(table).flatMap((each) => (each.name === 'tr' ? [each] : partRows(each)))
}

function partRows(part: HtmlElement): HtmlElement[] {
  return /^t(head|body|foot)$/.test(part.name) ? elementsOf(part).filter(({ name }) => name === 'tr') : []
}

function cellsIn(row: HtmlElement): HtmlElement[] {
  return elementsOf(row).filter(({ name }) => name === 'td' || name === 'th')
}
