import { listNames, nearest } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import {
  FOR,
  KEYED,
  keysFrom,
  NO_END,
  type Path,
  REFERENCE,
  readPath,
  readResponse,
  SET,
} from '../run/response-template.ts'
import { dollarBraces, doubledBraces, foreignCondition, foreignLoop, lower } from './foreign-templates.ts'
import type { Mistake } from './mistakes.ts'

type Found = Pick<Mistake, 'problem' | 'next' | 'isDoubt'>

/** What can be read as a template, but shows or keeps something else than its author means. */
export function mistakesInResponse(source: ActionSource, known: readonly string[]): Mistake[] {
  const lines = source.content.replace(/\n$/, '').split('\n')
  const scan = new Scan([...known, ...variablesKeptBy(source)], namesSet(lines, '@'))
  const told = refusedLines(source)
  const found = lines.flatMap((text, row) => {
    const line = source.line + row
    const inLine = told.has(line) ? scan.refusedLine(text) : scan.line(text, isPart(lines, row))
    return inLine.map((each) => ({ line, ...each }))
  })
  const isFirst = ({ line, problem }: Mistake, at: number): boolean =>
    found.findIndex((each) => each.line === line && each.problem === problem) === at
  return found.filter(isFirst)
}

/** Why a template is refused is told already; that a loop has no end says nothing about the line where it is missed. */
function refusedLines(source: ActionSource): ReadonlySet<number> {
  const read = readResponse(source)
  const refused = read.ok ? [] : [read, ...(read.others ?? [])]
  return new Set(refused.filter(({ problem }) => problem !== NO_END).map(({ line }) => line))
}

/** Whether a `to:` belongs to the same, which says that the file is not what `save:` names. */
function isPart(lines: readonly string[], row: number): boolean {
  const before = lines.slice(0, row).findLastIndex((text) => !KEYED.test(text.trim())) + 1
  const first = keysFrom(lines, before)
  const own = before + first.size > row ? first : keysFrom(lines, row)
  return own.has('to')
}

/** The variables that a response keeps, which later calls in its topic know. */
export function variablesKeptBy({ content }: ActionSource): string[] {
  return namesSet(content.split('\n'), '')
}

function namesSet(lines: readonly string[], mark: '' | '@'): string[] {
  return lines.flatMap((text) => {
    const [, marked, name] = SET.exec(text.trim()) ?? []
    return name !== undefined && marked === mark ? [name] : []
  })
}

/** Goes down the lines, and knows which loops are open. */
class Scan {
  readonly #known: readonly string[]
  readonly #shortcuts: readonly string[]
  readonly #open: string[] = []
  readonly #ended = new Set<string>()

  constructor(known: readonly string[], shortcuts: readonly string[]) {
    this.#known = known
    this.#shortcuts = shortcuts
  }

  /** `isPart`: what a `save:` names is a part of the answer, and no file. */
  line(text: string, isPart: boolean): Found[] {
    const trimmed = text.trim()
    const [, name, given = ''] = FOR.exec(trimmed) ?? []
    if (name !== undefined) return this.#begin(name, given.replace(/^\{|\}$/g, '').trim())
    if (trimmed === 'end:') {
      this.#ended.add(this.#open.pop() ?? '')
      return []
    }
    const foreign = foreignLoop(trimmed)
    if (foreign !== null) {
      if (foreign.isEnd) this.#open.pop()
      else if (foreign.item !== null) this.#open.push(foreign.item)
      return [mistake('it looks like a loop, and is shown as text', foreign.next)]
    }
    const [, key, named = ''] = KEYED.exec(trimmed) ?? []
    if (key === 'to' || (key === 'save' && !isPart)) return this.#references(named).map(inFileName)
    if (key !== undefined) return key === 'save' ? this.#part(named) : this.#references(named)
    const [, , set, value = ''] = SET.exec(trimmed) ?? []
    if (set !== undefined) return this.#kept(set, value.trim())
    const misread = misspelt(trimmed)
    return misread.length > 0 ? misread : this.#references(text)
  }

  /** Of a line that is refused: which loop it begins, and what it names. */
  refusedLine(text: string): Found[] {
    const [, name] = /^\s*for:\s*([A-Za-z_]\w*)?/.exec(text) ?? []
    if (/^\s*for:/.test(text)) this.#open.push(name ?? '')
    return /^\s*(?:for|end|save|decode|to):/.test(text) ? [] : this.#inBraces(text.replace(SET, '$3'))
  }

  #begin(name: string, source: string): Found[] {
    const path = readPath(source) ?? []
    this.#open.push(name)
    const [root, part] = path
    if (root === 'Response' && part !== 'body')
      return [mistake(`${source} is no list: nothing would be repeated`, 'Write for: item in Response.body.items')]
    return this.#path(path)
  }

  /** A name that is nothing else leads into the body. */
  #part(source: string): Found[] {
    const path = readPath(source.replace(/^\{(.*)\}$/, '$1')) ?? []
    return path[0] === 'Response' ? this.#path(path) : []
  }

  #kept(name: string, value: string): Found[] {
    const path = readPath(value)
    if (path !== null && path.length > 1 && this.#isKnown(String(path[0])))
      return [mistake(`{${name}} would keep the text ${value}, and not its value`, `Write {${name}} = {${value}}`)]
    const quotes = value.replace(/\\./g, '').split('"').length - 1
    const unclosed = value.startsWith('"') && quotes === 1
    return [
      ...(unclosed ? [mistake(`the quote is not closed, and kept with the text`, `Write {${name}} = ${value}"`)] : []),
      ...this.#references(value),
    ]
  }

  #references(text: string): Found[] {
    const isKnown = (name: string): boolean => this.#isKnown(name)
    const foreign = [
      ...doubledBraces(text, isKnown, this.#open.at(-1)),
      ...dollarBraces(text, isKnown),
      ...foreignCondition(text, isKnown),
    ]
    return [...foreign, ...this.#places(text.replace(/\{\{\s*this\b[^{}]*\}\}/g, ' '))]
  }

  #places(text: string): Found[] {
    const left = text.replace(REFERENCE, ' ')
    const unclosed = [...left.matchAll(/\{(([A-Za-z_][\w-]*)[\w.[\]-]*)/g)].filter(([, , root = '']) =>
      this.#isKnown(root),
    )
    const unopened = [...left.matchAll(/(?<![\w.@[\]{-])(([A-Za-z_][\w-]*)(?:\.[\w-]+|\[\d+\])+)\}/g)].filter(
      ([, , root = '']) => this.#isKnown(root),
    )
    return [
      ...this.#inBraces(text),
      ...this.#spaced(text),
      ...unclosed.map(([, path = '']) => mistake(`the { before ${path} is not closed`, `Write {${path}}`)),
      ...unopened.map(([, path = '']) => mistake(`there is no { before ${path}}`, `Write {${path}}`)),
    ]
  }

  /** Braces with blanks in them are text; around a name alone they may be code. */
  #spaced(text: string): Found[] {
    return [...text.matchAll(/(?<!\{)\{\s+([A-Za-z_][^\s{}]*)\s*\}(?!\})/g)].flatMap(([whole, path = '']) => {
      const read = readPath(path)
      if (read === null || !this.#isKnown(String(read[0]))) return []
      const told = mistake(`${whole} has blanks in its braces, and stays as it is written`, `Write {${path}}`)
      return [{ ...told, isDoubt: read.length === 1 }]
    })
  }

  #inBraces(text: string): Found[] {
    return [...text.matchAll(REFERENCE)].flatMap(({ 1: inside = '' }) => this.#reference(inside))
  }

  #reference(inside: string): Found[] {
    if (inside.startsWith('@')) return this.#shortcut(inside.slice(1))
    const path = readPath(inside)
    if (path !== null) return this.#path(path)
    const [root = ''] = /^[\w-]+/.exec(inside) ?? []
    if (!this.#isKnown(root)) return []
    const form = 'Write names and [numbers] with dots between them, such as {Response.body.items[0].name}'
    return [mistake(`{${inside}} is no path, and stays as it is written`, form)]
  }

  #shortcut(name: string): Found[] {
    if (this.#shortcuts.includes(name)) return []
    const close = nearest(name, this.#shortcuts)
    const next = close === null ? `Keep it first, in a line of its own: {@${name}} = {…}` : `Did you mean {@${close}}?`
    return [mistake(`{@${name}} is kept nowhere in this response, and shows nothing`, next)]
  }

  #path(path: Path): Found[] {
    const [root = '', part, ...rest] = path
    const name = String(root)
    const piped = this.#isKnown(name) ? path.find((key) => String(key).includes('|')) : undefined
    if (piped !== undefined) return [pipe(path, String(piped))]
    if (name === 'Response') return responsePart(part, rest)
    if (this.#isKnown(name)) return []
    if (this.#ended.has(name))
      return [mistake(`{${name}…} is known between its for: and end: only`, 'Move the line above end:')]
    const names = [...new Set(['Response', ...this.#open, ...this.#known])]
    // A single letter is near to no other: meant is that of a loop around it, if any.
    const close =
      name.length === 1
        ? (this.#open.find((open) => open.length === 1) ?? nearest(name, this.#open))
        : nearest(name, names)
    const next =
      close === null ? `It knows ${listNames(names)}` : `Did you mean {${[close, ...path.slice(1)].join('.')}}?`
    // A variable of the topic may be kept by anybody.
    return [
      {
        ...mistake(`{${name}…} is nothing that this response knows, and shows nothing`, next),
        isDoubt: close === null,
      },
    ]
  }

  #isKnown(name: string): boolean {
    return name === 'Response' || this.#open.includes(name) || this.#known.includes(name)
  }
}

/** A key may hold the sign, which is rare. */
function pipe(path: Path, piped: string): Found {
  const plain = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1)
    .replace(/\|.*/, '')
  const [, word = ''] = piped.split('|')
  const next = `Write {${plain}}, which shows a list as JSON, or for: item in ${plain} for a line of each`
  return {
    ...mistake(`a response has no pipes: |${word} is read as a part of the name, which shows nothing`, next),
    isDoubt: true,
  }
}

function responsePart(part: string | number | undefined, rest: Path): Found[] {
  if (part === undefined || part === 'body' || (part === 'status' && rest.length === 0)) return []
  if (part === 'status') return [mistake('Response.status is a number, and has no parts', 'Write {Response.status}')]
  if (/^headers?$/i.test(String(part)))
    return [mistake('a response knows no headers of the answer', 'Leave it out; CLI curl -sI URL prints headers')]
  const close = nearest(String(part), ['body', 'status'])
  const meant = ['Response', ...(close === null ? ['body', part] : [close]), ...rest].join('.')
  return [mistake(`Response has no ${part}: it has status and body`, `Did you mean {${meant}}?`)]
}

/** Lines that are shown as they are, though they look like others. */
function misspelt(text: string): Found[] {
  const [, item, source] = /^for:?\s+([A-Za-z_][\w-]*)\s+(?:in|of)\s+(\{?Response\b\S*?):?$/i.exec(text) ?? []
  if (item !== undefined)
    return [mistake('it looks like a loop, and is shown as text', `Write for: ${lower(item)} in ${source ?? ''}`)]
  const [, mark = '', name, value = ''] = /^\{(@?)([A-Za-z_][\w-]*)\}\s*=\s*(\{[^{}]*\})$/.exec(text) ?? []
  if (name === undefined) return []
  return [
    mistake(
      `{${mark}${name}} is no name: it would be shown, and nothing kept`,
      `Write {${mark}${lower(name)}} = ${value}`,
    ),
  ]
}

/** Without a part of its name no file is written. */
function inFileName(found: Found): Found {
  return {
    ...found,
    problem: found.problem.replace('and shows nothing', 'and no file can be named by it: the call fails'),
  }
}

function mistake(problem: string, next: string): Found {
  return { problem, next, isDoubt: false }
}
