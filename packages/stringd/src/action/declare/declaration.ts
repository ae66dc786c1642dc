import { type Failure, fail, LIMITS, nearest, splitWords } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import { placeText } from '../../document/place-text.ts'
import type { Method } from '../../web/http-send.ts'
import { type Fault, type Field, fault, isAny, judgeField, type Misread, together } from './field.ts'
import { cutShort, misplaced, unindented } from './misplaced-line.ts'

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
  readonly head: readonly Line[]
  readonly fields: readonly Line[]
  readonly body: string | null
  /** The line that says `unsafe: true`. */
  readonly unsafe: Line | null
  readonly wrong: readonly Misread[]
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
const CLI = /^CLI(?:\s+(.*))?$/s
const UNSAFE = /^unsafe\s*:\s*(true|false)$/
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/s

/** Reads the block of an action, or says what is wrong with which line of the document. */
export function readDeclaration(source: ActionSource, called?: string): Declaration | Misread {
  const { declaration, inTemplate, inFields } = judgeDeclaration(source, called)
  const wrong = [...inTemplate, ...inFields]
  return declaration !== null && !isAny(wrong) ? declaration : misread(source, wrong)
}

export function misread({ line }: ActionSource, wrong: readonly Misread[]): Misread {
  return isAny(wrong) ? together(wrong) : { ...fault('it is empty', BEGINNINGS), line }
}

/** A declaration as far as it can be read, null where not even its template can be, and all that is wrong with it. */
interface JudgedDeclaration {
  readonly declaration: Declaration | null
  readonly fields: readonly Field[]
  readonly inTemplate: readonly Misread[]
  readonly inFields: readonly Misread[]
}

/** The same with all that is wrong in it. What is misspelt is taken for what it is close to, so that the rest is judged, too. */
export function judgeDeclaration(source: ActionSource, called = `/act.${source.id}`): JudgedDeclaration {
  const { id, content, line } = source
  const none = (wrong: Misread): JudgedDeclaration => {
    return { declaration: null, fields: [], inTemplate: [wrong], inFields: [] }
  }
  const goesOn = goingOn(source)
  if (goesOn !== null) return none(goesOn)
  if (content.length > LIMITS.actionChars)
    return none({ ...fault(`longer than ${LIMITS.actionChars} characters`, INTO_A_FILE), line })
  const lines = sortLines(content, line)
  const { template, wrong } = readTemplate(lines)
  const indented = template === null && lines.head.length === 0 ? beginsIndented(content) : null
  if (indented !== null) return none({ ...indented, line })
  const inHead = wrong.map((each) => ({ ...each, line, others: [] }))
  const meant = template === null ? asMeant(content) : null
  if (meant !== null) {
    const judged = judgeDeclaration({ ...source, content: meant }, called)
    return { ...judged, inTemplate: [...inHead, ...judged.inTemplate] }
  }
  const script = template?.kind === 'cli' ? template.script : isBareCli(lines) ? '' : null
  const cut = script === null ? null : cutShort(script, lines.fields, lines.head.at(-1)?.number ?? line)
  const { fields, wrong: inFields } = parseFields(cut?.fields ?? lines.fields, template?.kind ?? 'http')
  if (cut !== null) {
    const others = template === null ? [] : inHead
    return { declaration: null, fields, inTemplate: [...lines.wrong, ...others, cut.wrong], inFields }
  }
  const declaration = template === null ? null : ({ ok: true, id, called, fields, template } as const)
  return { declaration, fields, inTemplate: [...lines.wrong, ...inHead], inFields }
}

/** A block whose first line is that of an action, and stands where fields do. */
function beginsIndented(content: string): Pick<Fault, 'ok' | 'problem' | 'instead'> | null {
  const [first = ''] = content.split('\n', 1)
  const isBeginning = CLI.test(first.trim()) || HTTP.test(first.trim())
  const shown = first.trim().slice(0, LIMITS.shownValueChars)
  return isBeginning ? fault('its first line is indented, as fields are', `Begin it at the margin: ${shown}`) : null
}

/** A block that swallows the next one: whatever else could be said of it is a consequence. */
export function goingOn({ unclosed, line }: ActionSource): Misread | null {
  if (unclosed === undefined || unclosed.before === null) return null
  const reason = `its block is not closed, and another begins in line ${unclosed.before}`
  return { ...fault(reason, 'Write ``` alone on a line, where it ends'), line: line - 1 }
}

export function malformed(id: string, misread: Misread): Failure {
  const where = placeText(misread)
  return fail(
    'ACTION_FAILED',
    `Action ${id} is not written as an action: ${where}: ${misread.problem}`,
    misread.instead,
  )
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
function sortLines(content: string, first: number): Lines {
  const all = content.replace(/\n$/, '').split('\n')
  let scriptEnd = CLI.test(all[0] ?? '') ? all.findLastIndex((line) => /^\S/.test(line)) : -1
  const head: Line[] = []
  const fields: Line[] = []
  const wrong: Misread[] = []
  while (scriptEnd > 0 && all[scriptEnd - 1]?.endsWith('\\') === false) {
    const field = unindented(all[scriptEnd] ?? '')
    if (field === null) break
    wrong.unshift({ ...field, line: first + scriptEnd, others: [] })
    all[scriptEnd] = `  ${all[scriptEnd]}`
    scriptEnd = all.findLastIndex((line) => /^\S/.test(line))
  }
  let body: string | null = null
  let unsafe: Line | null = null
  for (let at = 0; at < all.length; at += 1) {
    const text = all[at] ?? ''
    const number = first + at
    const isBody = /^body:\s*$/.test(text) && scriptEnd === -1 && at > 0
    if (isBody) wrong.push({ ...AT_MARGIN, line: number })
    const goesOn = all[at - 1]?.endsWith('\\') === true && head.at(-1)?.number === number - 1
    if (at <= scriptEnd || goesOn || (text.trim() !== '' && !/^[ \t]/.test(text) && !isBody))
      head.push({ number, text })
    else if (text.trim() === 'body:') {
      if (body !== null) wrong.push({ ...fault('a second body:', 'Put both under one body:'), line: number })
      const block = bodyBlock(all, at + 1, indentOf(text))
      body ??= block.text
      const end = block.text === '' ? unindentedEnd(all, block.end) : block.end
      if (end > block.end) wrong.push({ ...NOT_DEEPER, line: first + block.end })
      at = end - 1
    } else if (UNSAFE.test(text.trim())) unsafe = text.trim().endsWith('true') ? { number, text } : null
    else if (text.trim() !== '') fields.push({ number, text: text.trim() })
  }
  return { head, fields, body, unsafe, wrong }
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

const AT_MARGIN = fault('body: stands at the margin', 'Indent it by two blanks, and the text below it by two more')
const NOT_DEEPER = fault('it stands below body: and is not indented deeper', 'Indent it by two blanks more than body:')

/** Where what was meant to be a body ends: nothing of it is a field or an option. */
function unindentedEnd(all: readonly string[], from: number): number {
  const isOther = (line: string): boolean =>
    line.trim() === '' || /^\s*-[Hd]\s/.test(line) || judgeField(line.trim()).field !== null
  const end = all.findIndex((line, index) => index >= from && isOther(line))
  return end === -1 ? all.length : end
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0
}

function parseFields(
  lines: readonly Line[],
  kind: 'http' | 'cli',
): {
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
    const elsewhere = misplaced(text, kind)
    const judged = elsewhere === null ? judgeField(text) : { field: null, wrong: [elsewhere] }
    const { field } = judged
    const taken = field === null ? null : takenName(field, fields)
    wrong.push(...judged.wrong.map((each) => ({ ...each, line: number, others: [] })))
    if (taken !== null)
      wrong.push({ ...fault(`two fields are called ${taken}`, 'Give one of them another name'), line: number })
    else if (field !== null) fields.push(field)
  }
  return { fields, wrong }
}

function takenName({ name, short }: Field, fields: readonly Field[]): string | null {
  if (fields.some((field) => field.name === name)) return name
  return short !== null && fields.some((field) => field.short === short) ? `-${short}` : null
}

/** What a template is, as far as it can be read; null where its first word says nothing. */
interface ReadTemplate {
  readonly template: HttpTemplate | CliTemplate | null
  readonly wrong: readonly Fault[]
}

function readTemplate({ head, body, unsafe }: Lines): ReadTemplate {
  const [whole, command = ''] = CLI.exec(head[0]?.text ?? '') ?? []
  if (whole === undefined || isBareCli({ head }))
    return readHttp(head.map(({ text }) => text).join('\n'), body, unsafe !== null)
  const instead = 'Give it the text in a here-document, or as a field: CLI program {text}'
  const script = [command, ...head.slice(1).map(({ text }) => text)].join('\n')
  return {
    template: { ok: true, kind: 'cli', script, isUnsafe: unsafe !== null },
    wrong: body === null ? [] : [fault('a CLI action has no body:', instead)],
  }
}

/** Nothing stands behind it, nor at the margin below. */
function isBareCli({ head }: Pick<Lines, 'head'>): boolean {
  return head.length === 1 && head[0]?.text === 'CLI'
}

function readHttp(text: string, block: string | null, isUnsafe: boolean): ReadTemplate {
  const [, method, rest = ''] = HTTP.exec(text) ?? []
  if (method === undefined) {
    const begins = 'it begins with GET, POST, PUT, PATCH or DELETE and an address, or with CLI'
    return { template: null, wrong: [fault(begins, beginning(text))] }
  }
  const refused = isUnsafe
    ? [fault('only a CLI action can be unsafe: its values become code', 'Remove the line unsafe: true')]
    : []
  const spelled = rest.replace(/\\\n/g, ' ')
  const words = headWords(spelled)
  const [url = '', ...options] = words ?? closedWords(spelled)
  const { headers, body, wrong } = readOptions(options, block)
  const inWords = words === null ? [fault('a quote is not closed', 'Write the same quote where the value ends')] : wrong
  const template = { ok: true, kind: 'http', method: method as Method, url, headers, body } as const
  return { template, wrong: [...refused, ...inWords] }
}

/** What stands behind the address. */
function readOptions(
  options: readonly string[],
  block: string | null,
): Pick<HttpTemplate, 'headers' | 'body'> & { readonly wrong: readonly Fault[] } {
  const headers: [string, string][] = []
  const wrong: Fault[] = []
  let body = block
  for (let at = 0; at < options.length; at += 2) {
    const [flag = '', value] = options.slice(at, at + 2)
    if (!isOption(flag) || value === undefined) {
      wrong.push(
        fault(`behind the address stand -H "Name: value" and -d 'body', not ${flag}`, notAnOption(flag, options, at)),
      )
      // From the next one on they are pairs again.
      const next = options.findIndex((word, index) => index > at && isOption(word))
      if (next === -1) break
      at = next - 2
      continue
    }
    if (flag === '-d' && body !== null) wrong.push(fault('more than one body', 'Leave one -d, or one body:'))
    if (flag === '-d') body ??= value
    const header = flag === '-H' ? HEADER.exec(value) : null
    if (flag === '-H' && header === null)
      wrong.push(fault('a header is "Name: value"', 'Write -H "Accept: application/json", in quotes and with a colon'))
    if (header !== null) headers.push([header[1] ?? '', header[2] ?? ''])
  }
  return { headers, body, wrong }
}

function isOption(word: string): boolean {
  return word === '-H' || word === '-d'
}

/** How a block begins that was meant so. */
function beginning(text: string): string {
  const first = (text.split('\n', 1)[0] ?? '').slice(0, LIMITS.shownValueChars)
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)/.exec(first) ?? []
  if (word === 'CLI' && rest === '') return 'Write a command behind it, in the same line: CLI ./script.sh {field}'
  if (METHODS.includes(word) && rest === '') return `Write an address behind it, in the same line: ${word} https://…`
  const meant = meantWord(word)
  if (meant !== null) return `Did you mean ${meant}${rest === '' ? '' : ` ${rest}`}?`
  if (/^https?:/i.test(word)) return `Write GET ${word}`
  return word === '' ? BEGINNINGS : `For a command write CLI ${first}; for a request GET https://…`
}

/** A block whose first word is misspelt, with the one that is meant. An address tells it from a command. */
function asMeant(content: string): string | null {
  if (/^https?:/i.test(content)) return `GET ${content}`
  const [, word = '', rest = ''] = /^(\S+)([ \t]+\S.*)$/s.exec(content) ?? []
  if (word === '') return null
  const meant = meantWord(word)
  return meant === 'CLI' || (meant !== null && /^\s+["']?https?:/i.test(rest)) ? `${meant}${rest}` : null
}

function meantWord(word: string): string | null {
  return ELSEWHERE.get(word.toUpperCase()) ?? nearest(word.toUpperCase(), [...METHODS, 'CLI'])
}

function notAnOption(flag: string, options: readonly string[], at: number): string {
  if (isOption(flag)) return `Write a value behind ${flag}, in quotes`
  if (/^--header(?:=|$)/.test(flag)) return 'Write -H "Name: value"'
  if (/^(?:--data(?:-\w+)?|--json)(?:=|$)/.test(flag))
    return "Write -d 'body', or what is to be sent as fields, indented below"
  if (/^(?:-X\w*|--request(?:=.*)?)$/.test(flag)) return 'The method is the first word of the block: POST https://…'
  if (/^--?[A-Za-z]/.test(flag)) return 'Leave out options of curl; one that is needed goes into a command: CLI curl …'
  const [before, name = ''] = options.slice(Math.max(0, at - 2), at)
  if (before !== '-H' || !name.endsWith(':'))
    return 'Put an address with blanks into quotes; what is to be sent are fields, indented below'
  const next = options.findIndex((word, index) => index > at && isOption(word))
  const value = options.slice(at, next === -1 ? undefined : next).join(' ')
  return `Put the header into quotes: -H "${name} ${value}"`
}

/** `\$` outlives the splitting: it is for the template. No document holds a NUL that could be taken for it. */
function headWords(text: string): string[] | null {
  const words = splitWords(text.replaceAll('\\$', '\0'))
  return words?.map((word) => word.replaceAll('\0', '\\$')) ?? null
}

/** The same where the quote that is not closed reaches to the end. */
function closedWords(text: string): string[] {
  return headWords(`${text}"`) ?? headWords(`${text}'`) ?? []
}
