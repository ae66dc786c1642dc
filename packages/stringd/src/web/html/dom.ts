import type { HtmlNode } from './tree.ts'

/** As much of a DOM as the conversion uses. */
export interface DomNode {
  readonly nodeType: number
  readonly textContent: string
  readonly localName?: string
}

export interface DomElement extends DomNode {
  readonly localName: string
  readonly previousSibling: DomNode | null
  readonly nextSibling: DomNode | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  appendChild(node: DomNode): DomNode
}

export interface DomDocument {
  readonly body: DomElement
  createElement(name: string): DomElement
  createTextNode(text: string): DomNode
}

/** Copies nodes into a DOM, for the library that wants one. */
export function attach(document: DomDocument, parent: DomElement, nodes: readonly HtmlNode[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') parent.appendChild(document.createTextNode(node))
    else {
      const element = document.createElement(node.name)
      for (const [name, value] of node.attributes) element.setAttribute(name, value)
      attach(document, element, node.children)
      parent.appendChild(element)
    }
  }
}
