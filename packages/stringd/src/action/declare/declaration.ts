import { type Failure, fail, LIMITS, nearest, splitWords } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import type { Method } from '../../web/http-send.ts'
import { type Fault, type Field, fault, isAny, type Misread, parseField, together } from './field.ts'

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

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** What a block begins with in other formats. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['FETCH', 'GET'],
  ...['RUN', 'EXEC', 'CMD', 'BASH', 'SH', 'SHELL'].map((word) => [word, 'CLI'] as const),
])
const BEGINNINGS = 'Write CLI and a command, or GET https://… in its first line, and fields indented below'
const INTO_A_FILE = 'Put the script into a file of its own, and let CLI ./script.sh run it'
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
  return isAny(wrong) ? together(wrong) : { ...fault('it is empty', BEGINNINGS), line }
}

/** The same with all that is wrong in it; null where not even its template can be read. */
export function judgeDeclaration(
  source: ActionSource,
  called = `/act.${source.id}`,
): { readonly declaration: Declaration | null; readonly wrong: readonly Misread[] } {
  const { id, content, line } = source
  const none = (...wrong: Misread[]): ReturnType<typeof judgeDeclaration> => ({ declaration: null, wrong })
  const goesOn = goingOn(source)
  if (goesOn !== null) return none(goesOn)
  if (content.length > LIMITS.actionChars)
    return none({ ...fault(`longer than ${LIMITS.actionChars} characters`, INTO_A_FILE), line })
  const lines = sortLines(content, line)
  if (!lines.ok) return none(lines)
  const { fields, wrong } = parseFields(lines.fields)
  const template = parseTemplateLines(lines)
  if (!template.ok) return none({ ...template, line, others: [] }, ...wrong)
  return { declaration: { ok: true, id, called, fields, template }, wrong }
}

/** A block that swallows the next one: whatever else could be said of it is a consequence. */
export function goingOn({ unclosed, line }: ActionSource): Misread | null {
  if (unclosed === undefined || unclosed.before === null) return null
  const reason = `its block is not closed, and another begins in line ${unclosed.before}`
  return { ...fault(reason, 'Write ``` alone on a line, where it ends'), line: line - 1 }
}

export function malformed(id: string, { line, problem, instead }: Misread): Failure {
  return fail('ACTION_FAILED', `Action ${id} is not written as an action: line ${line}: ${problem}`, instead)
}

/** The same in one line. */
export function malformedText(id: string, read: Misread): string {
  const { system, hints } = malformed(id, read)
  return [system, ...hints].join('. ')
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
      if (body !== null) return { ...fault('a second body:', 'Put both under one body:'), line: number }
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
    wrong.push({
      ...fault(`more than ${LIMITS.actionFields} fields`, 'Make two actions of it, or take several values in a tuple'),
      line: lines[0]?.number ?? 0,
    })
  for (const { text, number } of lines.slice(0, LIMITS.actionFields)) {
    const field = parseField(text)
    const taken = field.ok ? takenName(field, fields) : null
    if (!field.ok) wrong.push({ ...field, line: number, others: [] })
    else if (taken !== null)
      wrong.push({ ...fault(`two fields are called ${taken}`, 'Give one of them another name'), line: number })
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
    return fault('only a CLI action can be unsafe: its values become code', 'Remove the line unsafe: true')
  if (command === undefined) return parseHttp(head.map(({ text }) => text).join('\n'), body)
  if (body !== null)
    return fault('a CLI action has no body:', 'Give it the text in a here-document, or as a field: CLI program {text}')
  return {
    ok: true,
    kind: 'cli',
    script: [command, ...head.slice(1).map(({ text }) => text)].join('\n'),
    isUnsafe: unsafe !== null,
  }
}

function parseHttp(text: string, block: string | null): HttpTemplate | Fault {
  const [, method, rest = ''] = HTTP.exec(text) ?? []
  if (method === undefined)
    return fault('it begins with GET, POST, PUT, PATCH or DELETE and an address, or with CLI', beginning(text))
  const words = headWords(rest.replace(/\\\n/g, ' '))
  if (words === null) return fault('a quote is not closed', 'Write the same quote where the value ends')
  const [url = '', ...options] = words
  const headers: [string, string][] = []
  let body = block
  for (let at = 0; at < options.length; at += 2) {
    const [flag = '', value] = options.slice(at, at + 2)
    if ((flag !== '-H' && flag !== '-d') || value === undefined)
      return fault(`behind the address stand -H "Name: value" and -d 'body', not ${flag}`, notAnOption(flag))
    if (flag === '-d' && body !== null) return fault('more than one body', 'Leave one -d, or one body:')
    if (flag === '-d') body = value
    const header = flag === '-H' ? HEADER.exec(value) : null
    if (flag === '-H' && header === null)
      return fault('a header is "Name: value"', 'Write -H "Accept: application/json", in quotes and with a colon')
    if (header !== null) headers.push([header[1] ?? '', header[2] ?? ''])
  }
  return { ok: true, kind: 'http', method: method as Method, url, headers, body }
}

/** How a block begins that was meant so. */
function beginning(text: string): string {
  const first = (text.split('\n', 1)[0] ?? '').slice(0, LIMITS.shownValueChars)
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)/.exec(first) ?? []
  const meant = ELSEWHERE.get(word.toUpperCase()) ?? nearest(word.toUpperCase(), [...METHODS, 'CLI'])
  if (meant !== null) return `Did you mean ${meant}${rest === '' ? '' : ` ${rest}`}?`
  if (/^https?:/i.test(word)) return `Write GET ${word}`
  return word === '' ? BEGINNINGS : `For a command write CLI ${first}; for a request GET https://…`
}

function notAnOption(flag: string): string {
  return flag === '-H' || flag === '-d'
    ? `Write a value behind ${flag}, in quotes`
    : 'Put an address with blanks into quotes; what is to be sent are fields, indented below'
}

/** `\$` outlives the splitting: it is for the template. No document holds a NUL that could be taken for it. */
function headWords(text: string): string[] | null {
  const words = splitWords(text.replaceAll('\\$', '\0'))
  return words?.map((word) => word.replaceAll('\0', '\\$')) ?? null
}
