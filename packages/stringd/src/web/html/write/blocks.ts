import { WEB_LIMITS } from '../../limits.ts'
import { BLOCKS, HEADINGS } from '../read/elements.ts'
import { attribute, createElement, findElement, type HtmlElement, type HtmlNode } from '../read/tree.ts'
import { codeBlock, isGutter, type Languages } from './code-block.ts'
import type { InlineWriter } from './inline.ts'
import { bold, definitionBlock, listBlock } from './list.ts'
import { isLayout, layoutCells, tableBlocks } from './table.ts'
import { joinBlocks, type MarkdownBlock, oneLine, paragraphs, prefixed, type Writer } from './writer.ts'

/** The Markdown of a whole element. What is over the limit is left out, and a last line says so. */
export function writeMarkdown(root: HtmlElement, inline: InlineWriter): string {
  const writer = new BlockWriter(inline)
  const blocks = writer.blocks(root)
  while (blocks[0]?.kind === 'rule') blocks.shift()
  while (blocks.at(-1)?.kind === 'rule') blocks.pop()
  if (writer.isFull) blocks.push({ kind: 'text', text: '*The rest of the page is left out: it is too long.*' })
  return blocks.length === 0 ? '' : `${joinBlocks(blocks)}\n`
}

class BlockWriter implements Writer {
  readonly inline: InlineWriter
  #left: number = WEB_LIMITS.markdownChars
  readonly #languages: Languages = new Map()
  /** How many figures are around. */
  #figures = 0

  constructor(inline: InlineWriter) {
    this.inline = (nodes) => {
      const text = this.isFull ? '' : inline(nodes)
      this.#left -= text.length
      return text
    }
  }

  get isFull(): boolean {
    return this.#left < 0
  }

  readonly blocks = (parent: HtmlElement): MarkdownBlock[] => {
    const blocks: MarkdownBlock[] = []
    this.#write(parent, blocks)
    return blocks
  }

  #write(parent: HtmlElement, out: MarkdownBlock[]): void {
    let run: HtmlNode[] = []
    const flush = () => {
      for (const text of run.length === 0 ? [] : paragraphs(this, run)) out.push({ kind: 'text', text })
      run = []
    }
    for (const node of parent.children) {
      if (typeof node === 'string' || !BLOCKS.has(node.name)) run.push(node)
      else {
        flush()
        this.#writeBlock(node, out)
      }
    }
    flush()
  }

  #writeBlock(element: HtmlElement, out: MarkdownBlock[]): void {
    const name = element.name
    if (HEADINGS.has(name)) return this.#heading(element, out)
    if (name === 'pre') return this.#code(element, out)
    if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') return this.#list(element, out)
    if (name === 'dl') return add(out, definitionBlock(element, this))
    if (name === 'table') return this.#table(element, out)
    if (name === 'blockquote') return this.#quote(element, out)
    if (name === 'figcaption' || name === 'summary' || name === 'legend') return this.#caption(element, out)
    if (name === 'hr') return add(out, out.at(-1)?.kind === 'rule' ? null : { kind: 'rule', text: '---' })
    if (name === 'figure') return this.#figure(element, out)
    this.#write(element, out)
  }

  /** What is in a figure is shown with it: a figure inside has nothing left to do. */
  #figure(element: HtmlElement, out: MarkdownBlock[]): void {
    if (this.#figures === 0) showImages(element)
    this.#figures += 1
    this.#write(element, out)
    this.#figures -= 1
  }

  #heading(element: HtmlElement, out: MarkdownBlock[]): void {
    const text = oneLine(this, flatNodes(element))
    if (text !== '') out.push({ kind: 'heading', text: `${'#'.repeat(Number(element.name[1]))} ${text}` })
  }

  #code(element: HtmlElement, out: MarkdownBlock[]): void {
    const text = this.isFull ? null : codeBlock(element, this.#languages)
    this.#left -= text?.length ?? 0
    if (text !== null) out.push({ kind: 'other', text })
  }

  #list(element: HtmlElement, out: MarkdownBlock[]): void {
    const last = out.at(-1)
    const kind = element.name === 'ol' ? 'numbers' : 'list'
    const isSecond = last?.kind === kind && !/^(\* |\d+\) )/.test(last.text)
    const block = listBlock(element, isSecond, this)
    this.#left -= block?.text.length ?? 0
    add(out, block)
  }

  #table(element: HtmlElement, out: MarkdownBlock[]): void {
    const cells = isLayout(element) || isNumbered(element) ? layoutCells(element) : null
    if (cells === null) for (const block of tableBlocks(element, this)) out.push(block)
    else for (const cell of cells) if (!isGutter(cell)) this.#write(cell, out)
  }

  #quote(element: HtmlElement, out: MarkdownBlock[]): void {
    const text = joinBlocks(this.blocks(element))
    this.#left -= text.length
    if (text !== '') out.push({ kind: 'other', text: prefixed(text, '> ', '> ') })
  }

  /** The text of a picture in italics, what a fold or a group of fields is called in bold. */
  #caption(element: HtmlElement, out: MarkdownBlock[]): void {
    const blocks = this.blocks(element)
    const [only] = blocks
    if (only === undefined || blocks.length > 1 || only.kind !== 'text') {
      for (const block of blocks) out.push(block)
      return
    }
    const isPlain = !/[*\n]/.test(only.text)
    const text = element.name === 'figcaption' ? (isPlain ? `*${only.text}*` : only.text) : bold(only.text)
    out.push({ kind: 'text', text })
  }
}

function add(out: MarkdownBlock[], block: MarkdownBlock | null): void {
  if (block !== null) out.push(block)
}

/** A table that puts line numbers beside code. */
function isNumbered(table: HtmlElement): boolean {
  const hasGutter = findElement(table, (element) => element.name === 'td' && isGutter(element)) !== null
  return hasGutter && findElement(table, ({ name }) => name === 'pre') !== null
}

/** The pictures of a figure are content even where their `alt` is empty. */
function showImages(parent: HtmlElement): void {
  parent.children = parent.children.map((node) => {
    if (typeof node === 'string') return node
    showImages(node)
    if (node.name !== 'img' || attribute(node, 'alt').trim() !== '') return node
    return createElement('img', new Map([...node.attributes].filter(([name]) => name !== 'alt')))
  })
}

/** The text of blocks that stand, against the rules, in a heading. */
function flatNodes({ children }: HtmlElement): HtmlNode[] {
  return children.flatMap((node) => (typeof node === 'string' || !BLOCKS.has(node.name) ? [node] : flatNodes(node)))
}
