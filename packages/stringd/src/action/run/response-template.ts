import { type Failure, LIMITS, nearest } from '@string-os/protocol'
import type { ActionSource, DocumentLine } from '../../document/document.ts'
import { goingOn, malformed } from '../declare/declaration.ts'
import { type Fault, fault, isAny, type Misread, together } from '../declare/field.ts'

/** `Response.body.items[0].name`: a name, then keys and indexes. */
export type Path = readonly (string | number)[]

export type LinePart =
  | string
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'shortcut'; readonly shortcut: string }

export type Expression =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'text'; readonly parts: readonly LinePart[] }
  | { readonly kind: 'tuple'; readonly items: readonly (readonly LinePart[])[] }

export type ResponseNode =
  | { readonly kind: 'line'; readonly parts: readonly LinePart[] }
  | { readonly kind: 'set'; readonly name: string; readonly isShortcut: boolean; readonly value: Expression }
  | { readonly kind: 'loop'; readonly name: string; readonly path: Path; readonly body: readonly ResponseNode[] }
  | { readonly kind: 'save'; readonly save: Save }

/** A part of the answer, null for all of it, and the file that it goes into. A path that names nothing else leads into the body. */
export interface Save {
  readonly part: Path | null
  readonly decode: 'base64' | 'none'
  readonly to: readonly LinePart[]
}

export interface ResponseTemplate {
  readonly ok: true
  readonly nodes: readonly ResponseNode[]
  readonly saves: boolean
}

/** `{name} = …`, `{@name} = …` */
export const SET = /^\{(@?)([a-z][a-z0-9_-]*)\}\s*=\s*(.*)$/
/** `for: item in Response.body.items` */
export const FOR = /^for:\s*([a-z][a-z0-9_]*)\s+in\s+(\S.*)$/
const UNFINISHED_FOR = /^for:(?:\s*[A-Za-z_][A-Za-z0-9_-]*(?:\s+in)?)?$/
const LOOP = 'Write for: item in Response.body.items, and end: behind what is repeated'
/** One that counts, or is written as other languages write it. */
const FOREIGN_FOR = /^for:\s*(?:[A-Za-z_]\w*\s*,\s*)?([A-Za-z_]\w*)\s+(?:in|of)\s+\{?([^\s{}]+?)\}?:?$/
/** The same without the word between the two: what is gone through is surely a path. */
const FOR_WITHOUT_IN = /^for:\s*([A-Za-z_]\w*)\s+\{?(Response\b[^\s{}]*?|[A-Za-z_]\w*(?:\.\w+|\[\d+\])+)\}?:?$/
export const NO_END = 'a for: has no end:'
const SAVE = 'Write three lines: save: Response.body.data, decode: base64, to: FILE; or save: FILE alone'
const TO = 'Write a line to: FILE below it; all of the answer is save: FILE alone'
export const KEYED = /^(save|decode|to):\s*(.*)$/
const PATH = /^[A-Za-z_][A-Za-z0-9_-]*(?:\.[^.[\]{}\s]+|\[\d{1,9}\])*$/
/** A path into the body may begin with the index of a list. */
const PART = /^(?:[A-Za-z_][A-Za-z0-9_-]*|\[\d{1,9}\])(?:\.[^.[\]{}\s]+|\[\d{1,9}\])*$/
/** What is replaced in a line. */
export const REFERENCE = /\{(@?[A-Za-z_][^{}]*)\}/g

interface Open {
  readonly nodes: ResponseNode[]
  readonly head: { readonly name: string; readonly path: Path } | null
  /** The line in which it begins. */
  row: number
}

export function parseResponse(
  source: ActionSource,
  place: Pick<DocumentLine, 'file'> = {},
): ResponseTemplate | Failure {
  const template = readResponse(source)
  return template.ok ? template : malformed(source.id, { ...template, ...place })
}

/** Reads the block `act.ID.response`, line by line. */
export function readResponse(source: ActionSource): ResponseTemplate | Misread {
  const { content, line } = source
  const goesOn = goingOn(source)
  if (goesOn !== null) return goesOn
  if (content.length > LIMITS.actionChars)
    return { ...fault(`longer than ${LIMITS.actionChars} characters`, 'Show less of the answer'), line }
  const root: Open = { nodes: [], head: null, row: 0 }
  const open = [root]
  const lines = content.replace(/\n$/, '').split('\n')
  const wrong: Misread[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const loops = open.length
    const taken = readLine(lines, at, open)
    const begun = open.length > loops ? open.at(-1) : undefined
    if (begun !== undefined) begun.row = at
    if (!taken.ok) wrong.push({ ...taken, line: line + at + (taken.row ?? 0), others: [] })
    at += (taken.ok ? taken.lines : linesOf(lines, at)) - 1
  }
  for (const { row } of open.slice(1)) wrong.push({ ...fault(NO_END, LOOP), line: line + row, others: [] })
  if (isAny(wrong)) return together(wrong)
  return { ok: true, nodes: root.nodes, saves: hasSave(root.nodes) }
}

interface Taken {
  readonly ok: true
  /** How many lines. */
  readonly lines: number
}

const ONE: Taken = { ok: true, lines: 1 }

/** Reads what begins in a line. */
function readLine(lines: readonly string[], at: number, open: Open[]): Taken | Fault {
  const text = lines[at] ?? ''
  const trimmed = text.trim()
  const [, name, given = ''] = FOR.exec(trimmed) ?? []
  const source = given.replace(/^\{/, '').replace(/\}$/, '')
  if (name !== undefined && !/[{}]|:$/.test(source)) return beginLoop(name, source.trim(), open)
  if (UNFINISHED_FOR.test(trimmed)) {
    open.push({ nodes: [], head: { name: '', path: [] }, row: 0 })
    return fault('for: has nothing to go through', LOOP)
  }
  const [, item, list] = FOREIGN_FOR.exec(trimmed) ?? FOR_WITHOUT_IN.exec(trimmed) ?? []
  if (item !== undefined) {
    open.push({ nodes: [], head: { name: '', path: [] }, row: 0 })
    return fault(`${trimmed} is no loop`, `Write for: ${item} in ${list}`)
  }
  if (trimmed === 'end:') return endLoop(open)
  if (KEYED.test(trimmed)) return readSave(lines, at, open)
  const [, mark, variable, value = ''] = SET.exec(trimmed) ?? []
  if (variable === undefined) return add(open, { kind: 'line', parts: readParts(text) })
  if (mark === '' && variable.includes('-'))
    return fault(`{${variable}} is no name of a variable`, `Write {${variable.replaceAll('-', '_')}} = …`)
  if (/\{@?[A-Za-z_][^{}"]*$/.test(value))
    return fault('a { is not closed', `Write {${mark}${variable}} = ${value.trim()}}`)
  return add(open, { kind: 'set', name: variable, isShortcut: mark === '@', value: readExpression(value.trim()) })
}

function add(open: readonly Open[], node: ResponseNode): Taken {
  open.at(-1)?.nodes.push(node)
  return ONE
}

function beginLoop(name: string, source: string, open: Open[]): Taken | Fault {
  const path = readPath(source)
  const isTooDeep = open.length > LIMITS.actionLoops
  // Also of one that is refused there is an end.
  open.push({ nodes: [], head: { name, path: path ?? [] }, row: 0 })
  if (path === null) return fault(`${source} is nothing to go through`, LOOP)
  if (isTooDeep)
    return fault(`more than ${LIMITS.actionLoops} loops inside each other`, 'Show the inner lists without a loop')
  return ONE
}

function endLoop(open: Open[]): Taken | Fault {
  const loop = open.length > 1 ? open.pop() : undefined
  if (loop === undefined || loop.head === null)
    return fault('end: without for:', 'Write for: item in Response.body.items above it, or remove it')
  return add(open, { kind: 'loop', ...loop.head, body: loop.nodes })
}

/** Whether the answer is taken apart or saved, for which all of it must be there. */
export function needsWhole({ nodes, saves }: ResponseTemplate): boolean {
  return saves || takesApart(nodes)
}

/** Whether it reads parts of the body, which only JSON has. */
export function takesApart(nodes: readonly ResponseNode[]): boolean {
  return nodes.some(nodeTakesApart)
}

function nodeTakesApart(node: ResponseNode): boolean {
  switch (node.kind) {
    case 'save':
      return node.save.part !== null && isOfBody(node.save.part, 3)
    case 'loop':
      return isOfBody(node.path, 2) || takesApart(node.body)
    case 'line':
      return node.parts.some(isBodyPart)
    case 'set':
      return expressionParts(node.value).some(isBodyPart)
  }
}

function expressionParts(value: Expression): readonly LinePart[] {
  if (value.kind === 'path') return [value]
  return value.kind === 'text' ? value.parts : value.items.flat()
}

function isBodyPart(part: LinePart): boolean {
  return typeof part !== 'string' && part.kind === 'path' && isOfBody(part.path, 3)
}

function isOfBody(path: Path, least: number): boolean {
  return path[0] === 'Response' && path[1] === 'body' && path.length >= least
}

/** `save:`, `decode:` and `to:` stand together, in any order. */
export function keysFrom(lines: readonly string[], at: number): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const line of lines.slice(at)) {
    const [, key = '', value = ''] = KEYED.exec(line.trim()) ?? []
    if (key === '' || given.has(key)) break
    given.set(key, value.trim())
  }
  return given
}

/** How many lines belong together, also where something is wrong with them. */
function linesOf(lines: readonly string[], at: number): number {
  return Math.max(1, keysFrom(lines, at).size)
}

function readSave(lines: readonly string[], at: number, open: readonly Open[]): Taken | Fault {
  const given = keysFrom(lines, at)
  const source = given.get('save')
  const decode = given.get('decode') ?? 'none'
  if (source === undefined) return fault('decode: and to: need a save:', SAVE)
  if (source === '' || given.get('to') === '') return fault(`${source === '' ? 'save' : 'to'}: names nothing`, SAVE)
  if (decode !== 'none' && decode !== 'base64') {
    const next = `Write decode: ${nearest(decode, ['base64', 'none']) ?? 'base64, or leave the line out'}`
    return { ...fault(`decode: is base64 or none, not ${decode}`, next), row: [...given.keys()].indexOf('decode') }
  }
  const part = readPath(source.replace(/^\{(.*)\}$/, '$1'), PART)
  const to = given.get('to')
  if (to === undefined && isPartOfAnswer(source))
    return fault(`${source} is a part of the response, and has no to:`, TO)
  // Without to: the whole answer goes into the file that save: names.
  const save = to === undefined ? { part: null, decode, to: readParts(source) } : { part, decode, to: readParts(to) }
  if (to !== undefined && part === null) return fault(`${source} is no part of the response`, SAVE)
  add(open, { kind: 'save', save: { ...save, decode } })
  return { ok: true, lines: given.size }
}

/** Written without braces, as only a part is. */
function isPartOfAnswer(source: string): boolean {
  const [root, part] = readPath(source) ?? []
  return root === 'Response' && (part === 'body' || part === 'status')
}

function readExpression(text: string): Expression {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(text) ?? []
  if (quoted !== undefined) return { kind: 'text', parts: readParts(quoted.replace(/\\(["\\])/g, '$1')) }
  const path = /^\{[^{}]*\}$/.test(text) ? readPath(text.slice(1, -1)) : null
  if (path !== null) return { kind: 'path', path }
  const [, items] = /^\((.*)\)$/.exec(text) ?? []
  if (items !== undefined)
    return { kind: 'tuple', items: items.split(',').map((item) => readParts(unquoted(item.trim()))) }
  return { kind: 'text', parts: readParts(text) }
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1')
}

function readParts(text: string): LinePart[] {
  const parts: LinePart[] = []
  let from = 0
  for (const match of text.matchAll(REFERENCE)) {
    const inside = match[1] ?? ''
    const path = inside.startsWith('@') ? null : readPath(inside)
    if (path === null && !inside.startsWith('@')) continue
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push(path === null ? { kind: 'shortcut', shortcut: inside.slice(1) } : { kind: 'path', path })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

export function readPath(text: string, pattern = PATH): Path | null {
  if (!pattern.test(text)) return null
  return [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([whole, index]) =>
    index === undefined ? whole : Number(index),
  )
}

function hasSave(nodes: readonly ResponseNode[]): boolean {
  return nodes.some((node) => node.kind === 'save' || (node.kind === 'loop' && hasSave(node.body)))
}
