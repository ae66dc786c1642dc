import type { ExecResult } from '@string-os/client'
import { TYPED_WHILE_RUNNING, visibleText } from '@string-os/protocol'
import { dim, red } from '../terminal/color.ts'
import { hangingLines } from '../terminal/hanging.ts'
import { type MarkdownManner, renderMarkdown } from '../terminal/markdown/render.ts'
import { type Line, paint } from '../terminal/styled-text.ts'
import { changeLines, isChange } from './change-lines.ts'
import { foundLines, soughtIn } from './found-lines.ts'

const RUNNING = '(it goes on: what you type is its input, Ctrl-C interrupts it)'

/** The answer to a command, for a person. */
export function shownResult(result: ExecResult, manner: MarkdownManner): string {
  const { ok, content } = result
  if (!ok) return failure(content, manner)
  const { system, body } = parts(content)
  const said = painted(hangingLines([{ text: system, styles: ['dim'] }], manner.width), manner)
  return body === null ? said : `${said}\n${shownBody(body, result, manner)}`
}

function shownBody(body: string, { format, data }: ExecResult, manner: MarkdownManner): string {
  if (format === 'markdown') return renderMarkdown(body, manner)
  const sought = soughtIn(data)
  if (sought !== null) return painted(foundLines(body, sought, manner.width), manner)
  if (isChange(data) && manner.color) return painted(changeLines(body), manner)
  return visibleText(body)
}

function painted(lines: readonly Line[], manner: MarkdownManner): string {
  return lines.map((line) => paint(line, manner)).join('\n')
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
export function withoutNote(body: string): string {
  if (!body.endsWith(`${TYPED_WHILE_RUNNING})`)) return body
  const rest = body.slice(0, -TYPED_WHILE_RUNNING.length - 1)
  return rest.endsWith('(') ? rest.slice(0, -1).trimEnd() : `${rest.replace(/; $/, '')})`
}

/** What went wrong and what can be done are broken between words; what a program printed is as it is. */
function failure(content: string, manner: MarkdownManner): string {
  const lines = content.split('\n')
  const end = lines.indexOf('---')
  const said = end === -1 ? lines : lines.slice(0, end)
  const shown = said.flatMap((text, index) =>
    hangingLines([index === 0 ? { text, styles: ['red'] } : { text }], manner.width),
  )
  const output = end === -1 ? [] : [visibleText(lines.slice(end + 1).join('\n'))]
  return [painted(shown, manner), ...output].join('\n')
}

function parts(content: string): { readonly system: string; readonly body: string | null } {
  const at = content.indexOf('\n---\n')
  const isSplit = at !== -1 && !content.slice(0, at).includes('\n')
  return isSplit ? { system: content.slice(0, at), body: content.slice(at + 5) } : { system: content, body: null }
}
