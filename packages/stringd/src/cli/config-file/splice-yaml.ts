import { isDeepStrictEqual } from 'node:util'
import { yamlReason } from '@string-os/protocol'
import { isCollection, isMap, isNode, isPair, isScalar, type Pair, parseAllDocuments, type YAMLMap } from 'yaml'
import { type ConfigValue, renderYaml } from './render.ts'
import { lineEnd, type PlacedEntry, replaceRange, type Spliced, unreadable } from './splice.ts'

/** Puts the entry into a YAML file of block maps; comments, order and layout of the rest stay. */
export function spliceYaml(text: string, placed: PlacedEntry): Spliced {
  const before = readYaml(text)
  if (!before.ok) return before
  const spliced = putInto(text, before.root, placed)
  if (!spliced.ok) return spliced
  const after = readYaml(spliced.text)
  // YAML has more ways to write a file than are known here: what came of it is looked at again.
  const isRight = after.ok && isDeepStrictEqual(after.value, withEntry(before.value, placed))
  return isRight ? spliced : { ok: false, reason: 'it is written in a way that cannot be edited here' }
}

type Read =
  | { readonly ok: true; readonly root: YAMLMap | null; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

function readYaml(text: string): Read {
  const [document, second] = parseAllDocuments(text, { logLevel: 'silent', prettyErrors: false })
  if (document === undefined) return { ok: true, root: null, value: null }
  if (second !== undefined) return { ok: false, reason: 'it holds several documents' }
  const [error] = document.errors
  if (error !== undefined)
    return { ok: false, reason: yamlReason(text, { code: error.code, message: error.message, at: error.pos[0] }) }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return { ok: true, root: null, value: null }
  if (!isMap(contents)) return { ok: false, reason: 'it holds no names with values' }
  return { ok: true, root: contents, value: document.toJS({ maxAliasCount: 100 }) }
}

function putInto(text: string, map: YAMLMap | null, { at, entry }: PlacedEntry): Spliced {
  const [name = '', ...rest] = at
  const end = lineEnd(text)
  const value = rest.reduceRight<ConfigValue>((inner, outer) => ({ [outer]: inner }), entry)
  if (map === null) return { ok: true, text: `${ended(text, end)}${lines({ [name]: value }, '', end)}${end}` }
  if (map.flow === true) return unreadable(text, map.range?.[0] ?? 0, 'a map in braces cannot be edited here')
  const indent = ' '.repeat(columnOf(text, startOf(map.items[0])))
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name)
  if (pair === undefined) return behind(text, map, lines({ [name]: value }, indent, end), end)
  if (rest.length > 0 && isMap(pair.value) && pair.value.items.length > 0)
    return putInto(text, pair.value, { at: rest, entry })
  const isHeld = rest.length > 0 && isCollection(pair.value) && pair.value.items.length > 0
  if (isHeld) return unreadable(text, startOf(pair), `${name} is a list, not a map`)
  const [start, stop] = [startOf(pair), endOf(text, pair)]
  return { ok: true, text: replaceRange(text, start, stop, lines({ [name]: value }, indent, end).trimStart()) }
}

/** On the lines behind the last pair, and behind the comment that stands beside it. */
function behind(text: string, map: YAMLMap, added: string, end: string): Spliced {
  const stop = endOf(text, map.items.at(-1))
  const newline = text.indexOf('\n', stop)
  const place = newline === -1 ? text.length : newline - (text[newline - 1] === '\r' ? 1 : 0)
  return { ok: true, text: replaceRange(text, place, place, `${end}${added}`) }
}

function lines(value: ConfigValue, indent: string, end: string): string {
  return renderYaml(value, indent).replaceAll('\n', end)
}

function ended(text: string, end: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${end}`
}

function startOf(pair: Pair | undefined): number {
  return isPair(pair) && isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0
}

/** Without the blank lines and comments that follow. */
function endOf(text: string, pair: Pair | undefined): number {
  const start = startOf(pair)
  const value = pair?.value
  const range = isNode(value) ? value.range : isNode(pair?.key) ? pair.key.range : null
  const end = range?.[1] ?? start
  // A key without a value ends with its colon.
  const colon = isNode(value) && end > start ? 0 : (/^\s*:/.exec(text.slice(end))?.[0].length ?? 0)
  return text.slice(0, end + colon).trimEnd().length
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

function withEntry(value: unknown, { at, entry }: PlacedEntry): unknown {
  const [name, ...rest] = at
  if (name === undefined) return entry
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { ...fields, [name]: withEntry(fields[name], { at: rest, entry }) }
}
