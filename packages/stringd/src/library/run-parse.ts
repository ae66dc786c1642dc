import type { Document } from '../document/document.ts'
import { headline } from '../document/parse/headline.ts'
import { createDocumentParser } from '../document/parse/parse.ts'

/** Work that can be done here or in a worker. */
export type ParseTask =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'html'; readonly text: string; readonly url: string }

export interface ParsedText {
  readonly ok: true
  readonly document: Document
  readonly title: string | null
}

/** Does the work of a parse task, wherever it runs. */
export function createRunParse(): (task: ParseTask) => Promise<ParsedText> {
  const parse = createDocumentParser()
  return async (task) => {
    if (task.kind === 'markdown') return parsed(parse(task.text), null)
    const { htmlToMarkdown } = await import('../web/html-to-markdown.ts')
    const { title, markdown } = await htmlToMarkdown(task.text, task.url)
    return parsed(parse(markdown), title)
  }
}

/** What the author of a text calls it comes first, then what its page does, then its first heading. */
async function parsed(document: Document, pageTitle: string | null): Promise<ParsedText> {
  return {
    ok: true,
    document: await judged(document),
    title: document.frontMatter.title ?? pageTitle ?? headline(document),
  }
}

/** Most documents have no actions, and do without what reads them. */
async function judged(document: Document): Promise<Document> {
  if (document.actions.length === 0) return document
  const { withRefusals } = await import('../action/declare/judge.ts')
  return withRefusals(document)
}
