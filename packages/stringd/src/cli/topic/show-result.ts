import type { ExecResult } from '@string-os/client'
import { TYPED_WHILE_RUNNING, visibleText } from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'
import { type MarkdownManner, renderMarkdown } from '../terminal/markdown/render.ts'

const RUNNING = '(it goes on: what you type is its input, Ctrl-C interrupts it)'

/** The answer to a command, for a person. */
export function shownResult({ ok, content, format }: ExecResult, manner: MarkdownManner): string {
  if (!ok) return failure(content, manner.color)
  const { system, body } = parts(content)
  if (body === null) return dim(visibleText(system), manner.color)
  const shown = format === 'markdown' ? renderMarkdown(body, manner) : visibleText(body)
  return `${dim(visibleText(system), manner.color)}\n${shown}`
}

/** What stands below the first line of an answer. */
export function bodyOf(content: string): string {
  return parts(content).body ?? ''
}

/** The prompt shows where a shell is; what it printed is the answer. `isKnown`: that it goes on has been said. */
export function shownOutput({ ok, content, data }: ExecResult, isKnown: boolean, color: boolean): string {
  const goesOn = data?.running === true
  const output = visibleText(goesOn ? withoutNote(bodyOf(content)) : bodyOf(content))
  const note = goesOn
    ? isKnown
      ? ''
      : dim(RUNNING, color)
    : ok
      ? ''
      : red(`exit: ${JSON.stringify(data?.exit ?? null)}`, color)
  return [output, note].filter((text) => text !== '').join('\n')
}

/** The prompt says it in its own words, and not each time. */
function withoutNote(body: string): string {
  if (!body.endsWith(`${TYPED_WHILE_RUNNING})`)) return body
  const rest = body.slice(0, -TYPED_WHILE_RUNNING.length - 1)
  return rest.endsWith('(') ? rest.slice(0, -1).trimEnd() : `${rest.replace(/; $/, '')})`
}

function failure(content: string, color: boolean): string {
  const [first = '', ...rest] = visibleText(content).split('\n')
  return [red(first, color), ...rest].join('\n')
}

function parts(content: string): { readonly system: string; readonly body: string | null } {
  const at = content.indexOf('\n---\n')
  const isSplit = at !== -1 && !content.slice(0, at).includes('\n')
  return isSplit ? { system: content.slice(0, at), body: content.slice(at + 5) } : { system: content, body: null }
}
