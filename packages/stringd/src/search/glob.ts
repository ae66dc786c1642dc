/** What stands between two slashes of a pattern, as a regular expression; null where git would match nothing with it. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{Nd}',
  alpha: '\\p{L}',
  blank: ' \\t',
  digit: '0-9',
  lower: '\\p{Ll}',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: '\\p{Lu}',
  xdigit: '0-9A-Fa-f',
}

/** Whether a pattern means nothing but itself. */
export function isLiteral(pattern: string): boolean {
  return !/[*?[\\]/.test(pattern)
}

/**
 * A pattern as git writes them: `*` and `?` stop at a slash, `**` between slashes does not. One that has no end, as in `[a`,
 * matches nothing.
 */
export function globExpression(pattern: string): RegExp | null {
  let source = ''
  let at = 0
  while (at < pattern.length) {
    const piece = deepAt(pattern, at) ?? pieceAt(pattern, at)
    if (piece === null) return null
    source += piece.source
    at = piece.end
  }
  return new RegExp(`^${source}$`, 'su')
}

interface Piece {
  readonly source: string
  readonly end: number
}

/** `**` that has a slash, or an end of the pattern, on both of its sides. */
function deepAt(pattern: string, at: number): Piece | null {
  if (!pattern.startsWith('**', at) || (at > 0 && pattern.charAt(at - 1) !== '/')) return null
  if (at + 2 === pattern.length) return { source: '.+', end: at + 2 }
  return pattern.charAt(at + 2) === '/' ? { source: '(?:.*\\/)?', end: at + 3 } : null
}

function pieceAt(pattern: string, at: number): Piece | null {
  const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
  const end = at + character.length
  if (character === '*') return { source: '[^/]*', end: endOfStars(pattern, at) }
  if (character === '?') return { source: '[^/]', end }
  if (character === '[') return classAt(pattern, end)
  if (character !== '\\') return { source: escaped(character), end }
  const next = pattern.codePointAt(end)
  if (next === undefined) return null
  const meant = String.fromCodePoint(next)
  return { source: escaped(meant), end: end + meant.length }
}

/** Several in a row are one: each more would only be tried in vain. */
function endOfStars(pattern: string, at: number): number {
  let end = at
  while (pattern.charAt(end) === '*') end += 1
  return end
}

/** `[a-z]`, `[!a]`, `[[:digit:]]`, from behind its bracket. */
function classAt(pattern: string, start: number): Piece | null {
  const isNegated = /[!^]/.test(pattern.charAt(start))
  let at = isNegated ? start + 1 : start
  const first = at
  let inside = ''
  while (at < pattern.length) {
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
    if (character === ']' && at > first) return { source: classSource(inside, isNegated), end: at + 1 }
    const [named, name = ''] = /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 12)) ?? []
    if (named !== undefined) {
      inside += CLASSES[name] ?? ''
      at += named.length
      continue
    }
    const isEscape = character === '\\' && at + 1 < pattern.length
    const meant = isEscape ? String.fromCodePoint(pattern.codePointAt(at + 1) ?? 0) : character
    const isRange = character === '-' && at > first && pattern.charAt(at + 1) !== ']'
    inside += isRange ? '-' : escaped(meant)
    at += (isEscape ? 1 : 0) + meant.length
  }
  return null
}

function classSource(inside: string, isNegated: boolean): string {
  return isNegated ? `[^/${inside}]` : `(?!\\/)[${inside}]`
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character
}
