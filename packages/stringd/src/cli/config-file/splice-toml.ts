import { renderToml } from './render.ts'
import { lineEnd, type PlacedEntry, replaceRange, type Spliced, unreadable } from './splice.ts'
import { parseToml, type TomlStatement } from './toml-statements.ts'

/** A table with what stands in it. */
interface Block {
  readonly kind: TomlStatement['kind']
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
  readonly pairs: readonly TomlStatement[]
}

/** Puts the entry into a TOML file as a table of its own; comments, order and layout of the rest stay. */
export function spliceToml(text: string, { at, entry }: PlacedEntry): Spliced {
  const parsed = parseToml(text)
  if (!parsed.ok) return unreadable(text, parsed.offset, parsed.problem)
  const blocks = blocksOf(parsed.statements)
  const odd = blocks.map((block) => oddPlace(block, at)).find((place) => place !== null)
  if (odd !== undefined && odd !== null)
    return unreadable(
      text,
      odd,
      `${at.join('.')} is not written as a table [${at.join('.')}], so it cannot be edited here`,
    )
  const own = blocks.filter(({ kind, path }) => kind === 'table' && beginsWith(path, at))
  const rendered = renderToml(at, entry).replaceAll('\n', lineEnd(text))
  return own.length === 0 ? appended(text, rendered) : replaced(text, own, rendered)
}

function blocksOf(statements: readonly TomlStatement[]): Block[] {
  const blocks: { kind: Block['kind']; path: readonly string[]; start: number; end: number; pairs: TomlStatement[] }[] =
    [{ kind: 'table', path: [], start: 0, end: 0, pairs: [] }]
  for (const statement of statements) {
    if (statement.kind !== 'pair') blocks.push({ ...statement, pairs: [] })
    const block = blocks.at(-1)
    if (statement.kind === 'pair') block?.pairs.push(statement)
    if (block !== undefined) block.end = statement.end
  }
  return blocks
}

/** Where the entry, or something around it, is spelt in a way that a table of its own would contradict. */
function oddPlace({ kind, path, start, pairs }: Block, at: readonly string[]): number | null {
  if (kind === 'tables' && (beginsWith(at, path) || beginsWith(path, at))) return start
  if (beginsWith(path, at)) return null
  const pair = pairs.find((candidate) => {
    const whole = [...path, ...candidate.path]
    return beginsWith(whole, at) || beginsWith(at, whole)
  })
  return pair?.start ?? null
}

function beginsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name)
}

function appended(text: string, rendered: string): Spliced {
  const end = lineEnd(text)
  const gap = text.trim() === '' ? '' : `${text.endsWith('\n') ? '' : end}${end}`
  return { ok: true, text: `${text}${gap}${rendered}${end}` }
}

/** A comment behind the last value, the end of its line, and blank lines. */
const REST_OF_TABLE = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)(?:[ \t]*\r?\n)*/

/** The first of its tables makes room for the entry; those below it go. */
function replaced(text: string, own: readonly Block[], rendered: string): Spliced {
  const [first, ...others] = own
  const shortened = others.reduceRight(
    (left, { start, end }) => left.slice(0, start) + left.slice(end).replace(REST_OF_TABLE, ''),
    text,
  )
  return { ok: true, text: replaceRange(shortened, first?.start ?? 0, first?.end ?? 0, rendered) }
}
