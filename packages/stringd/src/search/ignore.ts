import { globExpression, isLiteral } from './glob.ts'

/** One line of a file that says what git leaves alone. */
interface Rule {
  /** `!pattern`: what an earlier one left out belongs to it after all. */
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /** `path` starts at the folder of the rule. */
  readonly matches: (name: string, path: string) => boolean
}

/** What git ignores in a folder and below it. Of two rules the nearer file's counts, in one file the later. */
export class Ignored {
  readonly #above: Ignored | null
  readonly #start: number
  readonly #rules: readonly Rule[]

  /** `text` is what a file in this folder says; `above` is what counts where that says nothing. */
  constructor(above: Ignored | null, folder: string, text: string) {
    this.#above = above
    this.#start = folder.endsWith('/') ? folder.length : folder.length + 1
    this.#rules = parseRules(text)
  }

  /** Whether git leaves out what has this path. */
  has(path: string, name: string, isFolder: boolean): boolean {
    return this.#verdict(path, name, isFolder) ?? false
  }

  #verdict(path: string, name: string, isFolder: boolean): boolean | null {
    const below = path.slice(this.#start)
    for (let at = this.#rules.length - 1; at >= 0; at -= 1) {
      const rule = this.#rules[at]
      if (rule !== undefined && (isFolder || !rule.foldersOnly) && rule.matches(name, below)) return !rule.isNegated
    }
    return this.#above === null ? null : this.#above.#verdict(path, name, isFolder)
  }
}

function parseRules(text: string): Rule[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap(parseRule)
}

function parseRule(line: string): Rule[] {
  if (line.startsWith('#')) return []
  const meant = withoutBlanks(line)
  const isNegated = meant.startsWith('!')
  const spelled = isNegated ? meant.slice(1) : meant
  const foldersOnly = spelled.endsWith('/')
  const pattern = foldersOnly ? spelled.slice(0, -1) : spelled
  const matches = pattern === '' ? null : matcherOf(pattern)
  return matches === null ? [] : [{ isNegated, foldersOnly, matches }]
}

/** Blanks at the end do not count, but for one behind a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length
  while (end > 0 && line.charAt(end - 1) === ' ' && !isEscaped(line, end - 1)) end -= 1
  return line.slice(0, end)
}

function isEscaped(line: string, at: number): boolean {
  let start = at
  while (start > 0 && line.charAt(start - 1) === '\\') start -= 1
  return (at - start) % 2 === 1
}

/** A pattern with a slash is a path from its folder; one without is a name at any depth. The common ones do without a regular expression. */
function matcherOf(pattern: string): Rule['matches'] | null {
  const isPath = pattern.includes('/')
  const glob = pattern.startsWith('/') ? pattern.slice(1) : pattern
  if (isLiteral(glob)) return isPath ? (_name, path) => path === glob : (name) => name === glob
  const suffix = glob.slice(1)
  if (!isPath && glob.startsWith('*') && isLiteral(suffix)) return (name) => name.endsWith(suffix)
  const expression = globExpression(glob)
  if (expression === null) return null
  return isPath ? (_name, path) => expression.test(path) : (name) => expression.test(name)
}
