import { constants } from 'node:os'
import type { ExecResult } from '@string-os/client'
import { visibleLine, visibleText } from '@string-os/protocol'
import { widthOf } from '../terminal/cells.ts'
import { dim, red } from '../terminal/color.ts'
import { hangingLines } from '../terminal/hanging.ts'
import { type MarkdownManner, renderMarkdown } from '../terminal/markdown/render.ts'
import { prose } from '../terminal/prose.ts'
import { type Line, paint } from '../terminal/styled-text.ts'
import { changeLines, isChange } from './change-lines.ts'
import { foundLines, soughtIn } from './found-lines.ts'

const RUNNING = '(it goes on: type to it, Ctrl-C interrupts, Ctrl-D ends its input)'

/** The answer to a command, for a person. */
export function shownResult(result: ExecResult, manner: MarkdownManner): string {
  if (!result.ok) return failure(result.content, manner)
  const { system, body } = parts(result)
  const said = system === null ? [] : [painted(hangingLines([{ text: system, styles: ['dim'] }], manner.width), manner)]
  return [...said, ...(body === null ? [] : [shownBody(body, result, manner)])].join('\n')
}

function shownBody(body: string, { format, data }: ExecResult, manner: MarkdownManner): string {
  if (format === 'markdown') return renderMarkdown(body, manner)
  if (Array.isArray(data?.entries) && data.total !== undefined) return alignedSizes(visibleText(body), manner.width)
  if (data?.running === true) return runningBody(body, manner.width)
  const sought = soughtIn(data)
  if (sought !== null) return painted(foundLines(body, sought, manner.width), manner)
  if (isChange(data) && manner.color) return painted(changeLines(body), manner)
  return visibleText(body)
}

const SIZED = /^(.*\S) {2}(\S+ [KMGT]?B|\(link\))$/

/** A folder's entries, with their sizes below one another; a long name does not push them all away. */
function alignedSizes(body: string, columns: number): string {
  const rows = body.split('\n')
  const names = rows.flatMap((row) => SIZED.exec(row)?.[1] ?? [])
  const widest = Math.min(Math.max(0, ...names.map(widthOf)), Math.floor(columns / 2))
  const aligned = rows.map((row) => {
    const [, name = row, size] = SIZED.exec(row) ?? []
    return size === undefined ? row : `${name}${' '.repeat(Math.max(0, widest - widthOf(name)))}  ${size.padStart(9)}`
  })
  return aligned.join('\n')
}

/** What can be typed to a program that goes on is ours to break; what it printed is as it is. */
function runningBody(body: string, columns: number): string {
  const lines = visibleText(body).split('\n')
  const last = lines.at(-1) ?? ''
  const note = /^\(.*\)$/.test(last) ? prose(last, { isTTY: true, columns }) : last
  return [...lines.slice(0, -1), note].join('\n')
}

function painted(lines: readonly Line[], manner: MarkdownManner): string {
  return lines.map((line) => paint(line, manner)).join('\n')
}

interface OutputManner {
  /** That it goes on has been said. */
  readonly isKnown: boolean
  readonly color: boolean
  /** With which status something ended is said, too. */
  readonly hints: boolean
}

/** What is said below what a command printed; the prompt shows where its shell is. */
export function outputNote(result: ExecResult, { isKnown, color, hints }: OutputManner): string {
  if (result.data?.running === true) return isKnown ? '' : dim(prose(RUNNING, process.stdout), color)
  return typeof result.data?.exit === 'number' && !hints ? '' : exitNote(result, color)
}

/** Of what went well nothing is said, nor of who wrote to a pager that was left. */
export function exitNote({ ok, content, data }: ExecResult, color: boolean): string {
  if (ok || data?.exit === 128 + constants.signals.SIGPIPE) return ''
  const [reason = ''] = content.split('\n', 1)
  return red(typeof data?.exit === 'number' ? `exit: ${data.exit}` : visibleLine(reason), color)
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

/** What String says is one line, and stands above what it is about. What an action answers is not said by String. */
function parts({ content, data }: ExecResult): { readonly system: string | null; readonly body: string | null } {
  const [first = '', ...rest] = content.split('\n')
  if (isOfAction(data)) return { system: null, body: content }
  if (rest.length === 0) return { system: first, body: null }
  return rest[0] === '---' ? { system: first, body: rest.slice(1).join('\n') } : { system: null, body: content }
}

function isOfAction(data: ExecResult['data']): boolean {
  return typeof data?.exit_code === 'number' || data?.content_type !== undefined
}
