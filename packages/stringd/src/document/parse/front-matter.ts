import { isDeepYaml, LIMITS, plainYaml } from '@string-os/protocol'
import { isMap, LineCounter, parseDocument } from 'yaml'
import type { FrontMatter, Span, Warning } from '../document.ts'

export interface FrontMatterFound {
  readonly frontMatter: FrontMatter
  /** Both `---` lines and all between; empty when there is none. */
  readonly span: Span
  readonly warnings: readonly Warning[]
}

const NONE: FrontMatter = { title: null, values: new Map() }

/** Reads YAML between two `---` lines, the first on line 1. Bad YAML is a warning; the document still opens. */
export function readFrontMatter(text: string): FrontMatterFound {
  if (!/^\ufeff?---/.test(text)) return { ...NOTHING, span: { start: 0, end: 0 } }
  const [whole, yaml = ''] = /^\ufeff?---[ \t]*(?:\r\n?|\n)([\s\S]*?)^---[ \t]*(?:\r\n?|\n|$)/m.exec(text) ?? []
  if (whole === undefined || !text.startsWith(whole))
    return { ...(isMeant(text) ? unread(UNCLOSED) : NOTHING), span: { start: 0, end: 0 } }
  const span = { start: 0, end: whole.length }
  const problem = tooMuch(yaml)
  if (problem !== null) return { ...unread({ line: 1, message: problem, next: FEWER }), span }
  return { ...parseYaml(yaml), span }
}

const FEWER = 'Keep a few plain keys there: name, title, description, version'

const UNCLOSED: Warning = {
  line: 1,
  message: 'Front matter begins here and is not closed: none of it counts',
  next: 'Write a line --- behind its last key',
}

/** A rule across the page begins with the same sign; a key in the next line is no text of a page. */
function isMeant(text: string): boolean {
  return /^\ufeff?---[ \t]*(?:\r\n?|\n)[A-Za-z_][\w-]*:(?:[ \t\r\n]|$)/.test(text)
}

type Read = Pick<FrontMatterFound, 'frontMatter' | 'warnings'>

const NOTHING: Read = { frontMatter: NONE, warnings: [] }

function unread(why: Warning): Read {
  return { frontMatter: { ...NONE, unread: why }, warnings: [why] }
}

function parseYaml(yaml: string): Read {
  const lineCounter = new LineCounter()
  try {
    const parsed = parseDocument(yaml, { logLevel: 'error', lineCounter, prettyErrors: false, schema: 'core' })
    const [error] = parsed.errors
    if (error !== undefined) {
      const { code, message, pos } = error
      const { at, problem, fix } = plainYaml(yaml, { code, message, at: pos[0] })
      const { line, col } = lineCounter.linePos(at)
      return unread({ line: line + 1, message: `Front matter, column ${col}: ${problem}`, next: fix })
    }
    if (parsed.contents === null) return NOTHING
    if (!isMap(parsed.contents))
      return unread({
        line: 2,
        message: 'Front matter is not a map of keys',
        next: 'Write `key: value`, one to a line',
      })
    const values = parsed.toJS({ mapAsMap: true, maxAliasCount: 100 }) as Map<unknown, unknown>
    return { frontMatter: frontMatterOf(values), warnings: [] }
  } catch (error) {
    // Too many aliases, or nested too deep for the parser.
    const reason = error instanceof Error ? error.message : String(error)
    return unread({ line: 1, message: `Front matter: ${reason}`, next: FEWER })
  }
}

function frontMatterOf(values: ReadonlyMap<unknown, unknown>): FrontMatter {
  const named = new Map([...values].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string'))
  const title = named.get('title')
  const isPlain = typeof title === 'string' || typeof title === 'number'
  return { title: isPlain ? String(title) : null, values: named }
}

/** What a small file has no use for, and what would cost the parser more than it is worth. */
function tooMuch(yaml: string): string | null {
  if (yaml.length > LIMITS.frontMatterChars) return `Front matter is longer than ${LIMITS.frontMatterChars} characters`
  return isDeepYaml(yaml) ? 'Front matter is nested too deep' : null
}
