import { LIMITS } from '@string-os/protocol'
import MarkdownParser, { type Env, type MarkdownIt, type StateBlock, type StateInline, type Token } from 'markdown-it'

export interface RawLink {
  readonly start: number
  readonly labelEnd: number
  readonly end: number
  readonly target: string
}

/** A reference definition `[label]: target` and the lines it takes. */
export interface Definition {
  readonly from: number
  readonly to: number
}

export interface Parsed {
  readonly tokens: readonly Token[]
  readonly definitions: readonly Definition[]
  /** The links in the content of an `inline` token, in order, by offsets into that content. */
  readonly links: (content: string) => RawLink[]
  /** A title without the marks of its Markdown. Long ones are cut: no address is that long. */
  readonly plainText: (content: string) => string
}

const DEFINITIONS = Symbol('definitions')
const LINKS = Symbol('links')
const CONTENT = Symbol('content')

/**
 * A CommonMark parser that stops at what we need: blocks with their lines, and on demand the links of one piece of text.
 * Of the inline rules only those run that decide where a link is; emphasis binds weaker than links and is left out.
 */
export function createMarkdown(): (text: string) => Parsed {
  const md = new MarkdownParser({ html: true })
  md.core.ruler.enableOnly(['normalize', 'block'])
  md.inline.ruler.enableOnly(['escape', 'backticks', 'link', 'image', 'autolink', 'html_inline'])
  md.inline.ruler2.enableOnly([])
  // Targets are kept as they are written: what may be opened is decided when somebody opens it.
  md.normalizeLink = (url) => url
  md.validateLink = () => true
  recordDefinitions(md)
  recordLinks(md)
  const titles = new MarkdownParser({ html: true })
  return (text) => parse(md, titles, text)
}

function parse(md: MarkdownIt, titles: MarkdownIt, text: string): Parsed {
  const env: Env & { [DEFINITIONS]: Definition[] } = { [DEFINITIONS]: [] }
  const tokens = md.parse(text, env)
  const hasReferences = env.references !== undefined
  return {
    tokens,
    definitions: env[DEFINITIONS],
    links: (content) => linksIn(md, content, env, hasReferences),
    plainText: (content) => plainText(titles, content, env),
  }
}

/** Most text has no link, and looking for one costs more than all the rest. */
function linksIn(md: MarkdownIt, content: string, env: Env, hasReferences: boolean): RawLink[] {
  if (!content.includes('](') && !(hasReferences && content.includes(']') && content.includes('['))) return []
  const links: RawLink[] = []
  env[LINKS] = links
  env[CONTENT] = content
  md.inline.parse(content, md, env, [])
  return links
}

function plainText(md: MarkdownIt, content: string, env: Env): string {
  const title = content.slice(0, LIMITS.titleChars)
  // Letters and blanks alone are most titles, and mean nothing but themselves.
  if (/^[\p{L}\p{N} .,:-]*$/u.test(title)) return title.trim()
  const [inline] = md.parseInline(title, { references: env.references ?? {} })
  return textOf(inline?.children ?? []).trim()
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      if (type === 'image') return textOf(children ?? [])
      return type === 'html_inline' ? '' : content
    })
    .join('')
}

function recordDefinitions(md: MarkdownIt): void {
  const { fn, alt } = ruleOf(md.block.ruler.__rules__, 'reference')
  const record = (state: StateBlock, from: number, end: number, silent: boolean): boolean => {
    const found = fn(state, from, end, silent)
    if (found && !silent) (state.env[DEFINITIONS] as Definition[]).push({ from, to: state.line })
    return found
  }
  md.block.ruler.at('reference', record, { alt })
}

function recordLinks(md: MarkdownIt): void {
  const { fn } = ruleOf(md.inline.ruler.__rules__, 'link')
  const record = (state: StateInline, silent: boolean): boolean => {
    const start = state.pos
    const tokensBefore = state.tokens.length
    const found = fn(state, silent)
    // The text of an image is parsed on its own: what stands in it is no link.
    if (found && !silent && state.src === state.env[CONTENT]) {
      const open = state.tokens.slice(tokensBefore, tokensBefore + 2).find(({ type }) => type === 'link_open')
      const labelEnd = state.md.helpers.parseLinkLabel(state, start, true)
      const target = String(open?.attrGet('href') ?? '')
      ;(state.env[LINKS] as RawLink[]).push({ start, labelEnd, end: state.pos, target })
    }
    return found
  }
  md.inline.ruler.at('link', record)
}

function ruleOf<Rule extends { name: string }>(rules: readonly Rule[], name: string): Rule {
  const rule = rules.find((candidate) => candidate.name === name)
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`)
  return rule
}
