declare module '@mixmark-io/domino' {
  export function createDocument(html: string): import('./dom.ts').DomDocument
}

declare module 'turndown' {
  interface Rule {
    filter: readonly string[]
    replacement: (content: string, node: import('./dom.ts').DomElement) => string
  }

  class TurndownService {
    addRule(key: string, rule: Rule): this
    turndown(root: import('./dom.ts').DomElement): string
    escape: (text: string) => string
  }

  export = TurndownService
}
