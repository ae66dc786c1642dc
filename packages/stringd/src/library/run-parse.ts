import type { Document } from '../document/document.ts'
import { createDocumentParser } from '../document/parse.ts'
import type { ParsedText, ParseTask } from './parse-task.ts'

/** Does the work of a parse task, wherever it runs. */
export function createRunParse(): (task: ParseTask) => Promise<ParsedText> {
  const parse = createDocumentParser()
  return async (task) => {
    if (task.kind === 'markdown') return { ok: true, document: await judged(parse(task.text)), title: null }
    const { htmlToMarkdown } = await import('../web/html-to-markdown.ts')
    const { title, markdown } = await htmlToMarkdown(task.text, task.url)
    return { ok: true, document: await judged(parse(markdown)), title }
  }
}

/** Most documents have no actions, and do without what reads them. */
async function judged(document: Document): Promise<Document> {
  if (document.actions.length === 0) return document
  const { withRefusals } = await import('../action/judge.ts')
  return withRefusals(document)
}
