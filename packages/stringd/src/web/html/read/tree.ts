/** An element of a page, light enough for a page of a million of them. Text stands among the children as it is. */
export interface HtmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  parent: HtmlElement | null
  children: HtmlNode[]
}

export type HtmlNode = HtmlElement | string

const NONE: ReadonlyMap<string, string> = new Map()

export function createElement(name: string, attributes = NONE, children: HtmlNode[] = []): HtmlElement {
  const element: HtmlElement = { name, attributes, parent: null, children }
  adopt(element)
  return element
}

/** Makes an element the parent of all its children. */
export function adopt(element: HtmlElement): void {
  for (const node of element.children) if (typeof node !== 'string') node.parent = element
}

export function appendNode(parent: HtmlElement, node: HtmlNode): void {
  parent.children.push(node)
  if (typeof node !== 'string') node.parent = parent
}

export function attribute({ attributes }: HtmlElement, name: string): string {
  return attributes.get(name) ?? ''
}

function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string'
}

export function elementsOf(parent: HtmlElement): HtmlElement[] {
  return parent.children.filter(isElement)
}

/** The first element below that passes, in the order of the page. */
export function findElement(parent: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement | null {
  for (const node of parent.children) {
    if (typeof node === 'string') continue
    const found = test(node) ? node : findElement(node, test)
    if (found !== null) return found
  }
  return null
}

/** All elements below that pass, in the order of the page. */
export function findAll(parent: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = []
  findElement(parent, (element) => {
    if (test(element)) found.push(element)
    return false
  })
  return found
}

export function textOf(node: HtmlNode): string {
  if (typeof node === 'string') return node
  let text = ''
  for (const child of node.children) text += textOf(child)
  return text
}
