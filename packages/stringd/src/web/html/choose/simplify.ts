import { WEB_LIMITS } from '../../limits.ts'
import { cleanText } from '../read/clean-text.ts'
import { BLOCKS, HEADINGS, MEANINGFUL, SHOWN_VOID } from '../read/elements.ts'
import { adopt, createElement, findAll, findElement, type HtmlElement, type HtmlNode, textOf } from '../read/tree.ts'
import { isPermalink, isSelfLink } from './permalink.ts'

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['strong', 'b'],
  ['em', 'i'],
  ['cite', 'i'],
  ['dfn', 'i'],
  ['var', 'i'],
  ['strike', 's'],
  ['del', 's'],
  ['samp', 'code'],
  ['tt', 'code'],
  ['kbd', 'code'],
])

/** Leaves nothing but blocks, inline elements that mean something, and text. */
export function simplify(root: HtmlElement): void {
  simplifyWithin(root, [])
}

/** `inside` names the inline elements around, and the heading if there is one: none is of use twice. */
function simplifyWithin(parent: HtmlElement, inside: readonly string[]): void {
  const kept: HtmlNode[] = []
  keep(parent.children, inside, kept)
  parent.children = kept
  adopt(parent)
}

function keep(nodes: readonly HtmlNode[], inside: readonly string[], kept: HtmlNode[]): void {
  nodes.forEach((node, index) => {
    if (typeof node === 'string') kept.push(cleanText(node))
    else if (node.name === 'pre') kept.push(node)
    else if (isPermalink(node, inside.includes('heading'), nodes, index)) return
    else if (node.name === 'br' && inside.includes('code')) kept.push(' ')
    else if (!isNeeded(node, inside)) keep(node.children, inside, kept)
    else {
      simplifyWithin(node, within(node, inside))
      kept.push(isBare(node) ? ' ' : node)
    }
  })
}

/** An inline element around nothing but space. */
function isBare({ name, children }: HtmlElement): boolean {
  if (BLOCKS.has(name) || SHOWN_VOID.has(name)) return false
  return children.every((node) => typeof node === 'string' && node.trim() === '')
}

function within({ name }: HtmlElement, inside: readonly string[]): readonly string[] {
  if (HEADINGS.has(name)) return ['heading']
  return BLOCKS.has(name) ? inside.filter((each) => each === 'heading') : [...inside, meaning(name)]
}

function isNeeded(element: HtmlElement, inside: readonly string[]): boolean {
  const { name } = element
  if (BLOCKS.has(name)) return true
  if (!MEANINGFUL.has(name) || inside.includes(meaning(name))) return false
  if (inside.includes('heading') && meaning(name) === 'b') return false
  // Long emphasis is a forgotten closing tag, or an attack.
  if (element.children.length > WEB_LIMITS.htmlInlineRun) return false
  if (findElement(element, isBlock) !== null) {
    if (name === 'a') linkFirstText(element)
    return false
  }
  return name !== 'a' || (element.attributes.has('href') && !(inside.includes('heading') && isSelfLink(element)))
}

function isBlock({ name }: HtmlElement): boolean {
  return BLOCKS.has(name)
}

function meaning(name: string): string {
  return SYNONYMS.get(name) ?? name
}

/** A link around whole blocks, as cards have it: the heading inside, or else the first text, becomes the link. */
function linkFirstText(link: HtmlElement): void {
  const leaves = findAll(
    link,
    (each) => isBlock(each) && findElement(each, isBlock) === null && textOf(each).trim() !== '',
  )
  const target = leaves.find(({ name }) => HEADINGS.has(name)) ?? leaves[0]
  if (target === undefined || target.name === 'pre') return
  target.children = [createElement('a', link.attributes, target.children)]
  adopt(target)
}
