import { withRefusals } from '../action/judge.ts'
import { createDocumentParser } from '../document/parse.ts'
import type { ParsedText, ParseTask } from './parse-task.ts'

/** Does the work of a parse task, wherever it runs. */
export function createRunParse(): (task: ParseTask) => Promise<ParsedText> {
  const parse = createDocumentParser()
  return async (task) => {
    if (task.kind === 'markdown') return { ok: true, document: withRefusals(parse(task.text)), title: null }
    const { htmlToMarkdown } = await import('../web/html-to-markdown.ts')
    const { title, markdown } = await htmlToMarkdown(task.text, task.url)
    return { ok: true, document: withRefusals(parse(markdown)), title }
  }
}
