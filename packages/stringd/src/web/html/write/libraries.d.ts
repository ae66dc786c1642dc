declare module '@mixmark-io/domino' {
  /** As much of a DOM as the conversion uses. */
  export interface DomNode {
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

  export function createDocument(html: string): DomDocument
}

declare module 'turndown' {
  import type { DomElement } from '@mixmark-io/domino'

  interface Rule {
    filter: readonly string[]
    replacement: (content: string, node: DomElement) => string
  }

  class TurndownService {
    addRule(key: string, rule: Rule): this
    turndown(root: DomElement): string
    escape: (text: string) => string
  }

  export = TurndownService
}
