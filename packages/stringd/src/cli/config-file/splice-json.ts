import { type JsonMember, type JsonNode, parseJsonTree } from './json-tree.ts'
import { type ConfigValue, renderJson } from './render.ts'
import { lineEnd, type PlacedEntry, replaceRange, type Spliced, unreadable } from './splice.ts'

/** Puts the entry into a JSON file; comments, order and layout of the rest stay. */
export function spliceJson(text: string, placed: PlacedEntry): Spliced {
  const tree = parseJsonTree(text)
  if (!tree.ok) return unreadable(text, tree.offset, tree.problem)
  return putInto(text, tree.root, placed)
}

/** Goes down as far as the file goes, and puts what is missing there. */
function putInto(text: string, node: JsonNode, { at, entry }: PlacedEntry): Spliced {
  if (node.members === null) return unreadable(text, node.start, 'an object is expected here')
  const [name = '', ...rest] = at
  const member = node.members.find((candidate) => candidate.name === name)
  if (member !== undefined && rest.length > 0) return putInto(text, member.value, { at: rest, entry })
  const indent = indentOf(text, node)
  const value = rest.reduceRight<ConfigValue>((inner, outer) => ({ [outer]: inner }), entry)
  const rendered = renderJson(value, indent.inner, indent.step).replaceAll('\n', lineEnd(text))
  if (member !== undefined)
    return { ok: true, text: replaceRange(text, member.value.start, member.value.end, rendered) }
  return { ok: true, text: addMember(text, node, node.members, `${JSON.stringify(name)}: ${rendered}`, indent) }
}

function addMember(
  text: string,
  node: JsonNode,
  members: readonly JsonMember[],
  member: string,
  { inner, outer }: Indent,
): string {
  const last = members.at(-1)
  const brace = node.end - 1
  // Comments behind the last member belong to it: the new one stands behind them.
  const behind = last?.value.end ?? node.start + 1
  const kept = text.slice(behind, brace).trimEnd()
  const comma = last === undefined || last.hasComma ? '' : ','
  const end = lineEnd(text)
  const added = `${comma}${kept}${end}${inner}${member}${last?.hasComma ? ',' : ''}${end}${outer}`
  return replaceRange(text, behind, brace, added)
}

interface Indent {
  readonly outer: string
  readonly inner: string
  readonly step: string
}

/** New members are indented as those that are there, else by two blanks more than the object. */
function indentOf(text: string, { start, members }: JsonNode): Indent {
  const outer = lineIndent(text, start)
  const first = members?.[0]
  const own = first === undefined ? null : ownLineIndent(text, first.start)
  const step = own?.startsWith(outer) && own.length > outer.length ? own.slice(outer.length) : '  '
  return { outer, inner: outer + step, step }
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line.replace(/^\ufeff/, ''))?.[0] ?? ''
}

/** The indent of what begins its line; null when something else stands before it there. */
function ownLineIndent(text: string, offset: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*$/.test(line) ? line : null
}
