import { type Failure, fail, LIMITS, problem, splitWords } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import type { Method } from '../../web/http-send.ts'
import { type Fault, type Field, isAny, type Misread, parseField, together } from './field.ts'

export interface HttpTemplate {
  readonly ok: true
  readonly kind: 'http'
  readonly method: Method
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
}

export interface CliTemplate {
  readonly ok: true
  readonly kind: 'cli'
  readonly script: string
  /** It was declared that values may run as code. */
  readonly isUnsafe: boolean
}

/** An action as a document declares it. */
export interface Declaration {
  readonly ok: true
  readonly id: string
  /** How it is called: `/act.ID`. */
  readonly called: string
  readonly fields: readonly Field[]
  readonly template: HttpTemplate | CliTemplate
}

interface Line {
  readonly number: number
  readonly text: string
}

/** The lines of a block by what they are for. */
interface Lines {
  readonly ok: true
  readonly head: readonly Line[]
  readonly fields: readonly Line[]
  readonly body: string | null
  /** The line that says `unsafe: true`. */
  readonly unsafe: Line | null
}

const HTTP = /^(GET|POST|PUT|PATCH|DELETE)\s+(.*)$/s
const CLI = /^CLI\s+(.*)$/s
const UNSAFE = /^unsafe\s*:\s*(true|false)$/
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/s

/** Reads the block of an action, or says what is wrong with which line of the document. */
export function readDeclaration(source: ActionSource, called?: string): Declaration | Misread {
  const { declaration, wrong } = judgeDeclaration(source, called)
  return declaration !== null && !isAny(wrong) ? declaration : misread(source, wrong)
}

export function misread({ line }: ActionSource, wrong: readonly Misread[]): Misread {
  return isAny(wrong) ? together(wrong) : { ...problem('it is empty'), line }
}

/** The same with all that is wrong in it; null where not even its template can be read. */
export function judgeDeclaration(
  { id, content, line }: ActionSource,
  called = `/act.${id}`,
): { readonly declaration: Declaration | null; readonly wrong: readonly Misread[] } {
  const none = (...wrong: Misread[]): ReturnType<typeof judgeDeclaration> => ({ declaration: null, wrong })
  if (content.length > LIMITS.actionChars)
    return none({ ...problem(`longer than ${LIMITS.actionChars} characters`), line })
  const lines = sortLines(content, line)
  if (!lines.ok) return none(lines)
  const { fields, wrong } = parseFields(lines.fields)
  const template = parseTemplateLines(lines)
  if (!template.ok) return none({ ...template, line, others: [] }, ...wrong)
  return { declaration: { ok: true, id, called, fields, template }, wrong }
}

export function malformed(id: string, { line, problem, instead }: Misread): Failure {
  return fail(
    'ACTION_FAILED',
    `Action ${id} is not written as an action: line ${line}: ${problem}`,
    instead ?? 'Mend that line of its document; /open --source shows it as it is written',
  )
}

/**
 * Indented lines are fields, or the body under `body:`; a line that ends with a backslash goes on in the next. A script
 * reaches to its last line that is not indented.
 */
function sortLines(content: string, first: number): Lines | Misread {
  const all = content.replace(/\n$/, '').split('\n')
  const scriptEnd = CLI.test(all[0] ?? '') ? all.findLastIndex((line) => /^\S/.test(line)) : -1
  const head: Line[] = []
  const fields: Line[] = []
  let body: string | null = null
  let unsafe: Line | null = null
  for (let at = 0; at < all.length; at += 1) {
    const text = all[at] ?? ''
    const number = first + at
    const goesOn = all[at - 1]?.endsWith('\\') === true && head.at(-1)?.number === number - 1
    if (at <= scriptEnd || goesOn || (text.trim() !== '' && !/^[ \t]/.test(text))) head.push({ number, text })
    else if (text.trim() === 'body:') {
      if (body !== null) return { ...problem('a second body:'), line: number }
      const block = bodyBlock(all, at + 1, indentOf(text))
      body = block.text
      at = block.end - 1
    } else if (UNSAFE.test(text.trim())) unsafe = text.trim().endsWith('true') ? { number, text } : null
    else if (text.trim() !== '') fields.push({ number, text: text.trim() })
  }
  return { ok: true, head, fields, body, unsafe }
}

/** Lines that are indented deeper than `body:`, blank ones between them kept. */
function bodyBlock(all: readonly string[], from: number, indent: number): { text: string; end: number } {
  let end = from
  while (end < all.length && ((all[end] ?? '').trim() === '' || indentOf(all[end] ?? '') > indent)) end += 1
  const lines = all.slice(from, end)
  while (lines.at(-1)?.trim() === '') lines.pop()
  const inner = Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf))
  return { text: lines.map((line) => line.slice(inner)).join('\n'), end }
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0
}

function parseFields(lines: readonly Line[]): {
  readonly fields: readonly Field[]
  readonly wrong: readonly Misread[]
} {
  const fields: Field[] = []
  const wrong: Misread[] = []
  if (lines.length > LIMITS.actionFields)
    wrong.push({ ...problem(`more than ${LIMITS.actionFields} fields`), line: lines[0]?.number ?? 0 })
  for (const { text, number } of lines.slice(0, LIMITS.actionFields)) {
    const field = parseField(text)
    const taken = field.ok ? takenName(field, fields) : null
    if (!field.ok) wrong.push({ ...field, line: number, others: [] })
    else if (taken !== null)
      wrong.push({
        ...problem(`two fields are called ${taken}`),
        line: number,
        instead: 'Give one of them another name',
      })
    else fields.push(field)
  }
  return { fields, wrong }
}

function takenName({ name, short }: Field, fields: readonly Field[]): string | null {
  if (fields.some((field) => field.name === name)) return name
  return short !== null && fields.some((field) => field.short === short) ? `-${short}` : null
}

function parseTemplateLines({ head, body, unsafe }: Lines): HttpTemplate | CliTemplate | Fault {
  const [, command] = CLI.exec(head[0]?.text ?? '') ?? []
  if (command === undefined && unsafe !== null)
    return problem('only a CLI action can be unsafe: its values become code')
  if (command === undefined) return parseHttp(head.map(({ text }) => text).join('\n'), body)
  if (body !== null) return problem('a CLI action has no body:')
  return {
    ok: true,
    kind: 'cli',
    script: [command, ...head.slice(1).map(({ text }) => text)].join('\n'),
    isUnsafe: unsafe !== null,
  }
}

function parseHttp(text: string, block: string | null): HttpTemplate | Fault {
  const [, method, rest = ''] = HTTP.exec(text) ?? []
  if (method === undefined) return problem('it begins with GET, POST, PUT, PATCH or DELETE and an address, or with CLI')
  const words = headWords(rest.replace(/\\\n/g, ' '))
  if (words === null) return problem('a quote is not closed')
  const [url = '', ...options] = words
  const headers: [string, string][] = []
  let body = block
  for (let at = 0; at < options.length; at += 2) {
    const [flag = '', value] = options.slice(at, at + 2)
    if ((flag !== '-H' && flag !== '-d') || value === undefined)
      return problem(`behind the address stand -H "Name: value" and -d 'body', not ${flag}`)
    if (flag === '-d' && body !== null) return problem('more than one body')
    if (flag === '-d') body = value
    const header = flag === '-H' ? HEADER.exec(value) : null
    if (flag === '-H' && header === null) return problem('a header is "Name: value"')
    if (header !== null) headers.push([header[1] ?? '', header[2] ?? ''])
  }
  return { ok: true, kind: 'http', method: method as Method, url, headers, body }
}

/** `\$` outlives the splitting: it is for the template. No document holds a NUL that could be taken for it. */
function headWords(text: string): string[] | null {
  const words = splitWords(text.replaceAll('\\$', '\0'))
  return words?.map((word) => word.replaceAll('\0', '\\$')) ?? null
}
