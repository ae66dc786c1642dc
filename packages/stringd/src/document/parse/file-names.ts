import { extname } from 'node:path'

const MARKDOWN: ReadonlySet<string> = new Set(['', '.md', '.markdown', '.mdown', '.mkd', '.mdx'])

/** The document that a folder stands for, the first that is there. */
export const FOLDER_DOCUMENTS = ['string.md', 'index.md', 'README.md'] as const

/** Whether a file is read as a document, by its name; every other one is plain text. */
export function isMarkdownName(path: string): boolean {
  return MARKDOWN.has(extname(path).toLowerCase())
}
