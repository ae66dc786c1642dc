import { appendNode, attribute, createElement, elementsOf, type HtmlElement } from '../read/tree.ts'
import { joinBlocks, type MarkdownBlock, prefixed, type Writer } from './writer.ts'

const MAX_NUMBER = 999_999_999

/** `isSecond`: a list stands right before this one, which another marker keeps apart. */
export function listBlock(list: HtmlElement, isSecond: boolean, writer: Writer): MarkdownBlock | null {
  const isOrdered = list.name === 'ol'
  const contents = itemNodes(list).map((item) => ({ item, blocks: itemBlocks(item, writer) }))
  const items = contents.filter(({ blocks }) => blocks.length > 0)
  if (items.length === 0) return null
  const isLoose = items.some(({ blocks }) => blocks.filter((block) => !isList(block)).length > 1)
  const numbers = isOrdered ? numbersOf(list, items) : []
  const texts = items.map(({ blocks }, index) => {
    const marker = isOrdered ? `${numbers[index]}${isSecond ? ')' : '.'} ` : isSecond ? '* ' : '- '
    return prefixed(joinItem(blocks, isLoose), marker, ' '.repeat(marker.length))
  })
  return { kind: isOrdered ? 'numbers' : 'list', text: texts.join(isLoose ? '\n\n' : '\n') }
}

function isList({ kind }: MarkdownBlock): boolean {
  return kind === 'list' || kind === 'numbers'
}

/** Terms in bold, what they mean on a line that starts with a colon. */
export function definitionBlock(list: HtmlElement, writer: Writer): MarkdownBlock | null {
  const parts: string[] = []
  let previous = ''
  for (const entry of definitionEntries(list)) {
    const text = joinBlocks(writer.blocks(entry))
    if (text === '') continue
    if (entry.name !== 'dt') parts.push(`\n${prefixed(text, ': ', '  ')}`)
    else parts.push(separator(previous), bold(text))
    previous = entry.name
  }
  return parts.length === 0 ? null : { kind: 'other', text: parts.join('').trim() }
}

/** Terms that share a meaning stand on one line. */
function separator(previous: string): string {
  return previous === 'dt' ? ', ' : '\n\n'
}

export function bold(text: string): string {
  return text.includes('**') || text.includes('\n') ? text : `**${text}**`
}

/** Groups of terms may stand in a `div` each. */
function definitionEntries(list: HtmlElement): HtmlElement[] {
  return elementsOf(list).flatMap((each) => (each.name === 'div' ? elementsOf(each) : [each]))
}

/** The items; what stands in the list but in no item belongs to the item before it. */
function itemNodes(list: HtmlElement): HtmlElement[] {
  const items: HtmlElement[] = []
  for (const node of list.children) {
    const last = items.at(-1)
    if (typeof node === 'string' && node.trim() === '') continue
    if (typeof node !== 'string' && node.name === 'li') items.push(node)
    else if (last === undefined) items.push(createElement('li', undefined, [node]))
    else appendNode(last, node)
  }
  return items
}

function itemBlocks(item: HtmlElement, writer: Writer): MarkdownBlock[] {
  const mark = taskMark(item)
  const blocks = writer.blocks(item)
  const [first, ...rest] = blocks
  if (mark === '' || first === undefined) return blocks
  return [{ ...first, text: `${mark} ${first.text}` }, ...rest]
}

/** The check box that starts the item, perhaps in a paragraph; nothing when there is none. */
function taskMark(item: HtmlElement): string {
  const [first] = item.children.filter((node) => typeof node !== 'string' || node.trim() !== '')
  if (first === undefined || typeof first === 'string') return ''
  if (first.name === 'p') return taskMark(first)
  if (first.name !== 'input') return ''
  return first.attributes.has('checked') ? '[x]' : '[ ]'
}

function joinItem(blocks: readonly MarkdownBlock[], isLoose: boolean): string {
  return blocks.map(({ text }, index) => (index === 0 ? '' : isLoose ? '\n\n' : '\n') + text).join('')
}

function numbersOf(list: HtmlElement, items: readonly { readonly item: HtmlElement }[]): number[] {
  const step = list.attributes.has('reversed') ? -1 : 1
  let next = numberIn(list, 'start') ?? (step === 1 ? 1 : items.length)
  return items.map(({ item }) => {
    const number = numberIn(item, 'value') ?? next
    next = Math.max(0, number + step)
    return number
  })
}

function numberIn(element: HtmlElement, name: string): number | null {
  const text = attribute(element, name).trim()
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_NUMBER) : null
}
