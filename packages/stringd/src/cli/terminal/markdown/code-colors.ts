import type { Style, StyledText } from '../styled-text.ts'

interface Language {
  readonly names: string
  readonly comments: RegExp
  readonly keywords: string
  readonly anyCase?: true
}

const SLASHES = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/
const HASHES = /(?<!\S)#.*/

/** One row for what looks alike. */
const LANGUAGES: readonly Language[] = [
  {
    names: 'js javascript jsx mjs cjs ts typescript tsx',
    comments: SLASHES,
    keywords:
      'abstract as async await break case catch class const continue default delete do else enum export extends false finally for ' +
      'from function if implements import in instanceof interface let new null of private protected public readonly return ' +
      'satisfies static super switch this throw true try type typeof undefined var void while yield',
  },
  {
    names: 'c h cpp c++ cs csharp java kotlin kt swift go golang rust rs php',
    comments: SLASHES,
    keywords:
      'as async await bool break case catch chan char class const continue default defer do double else enum extends false final ' +
      'float fn for func fun go if impl import in include int interface let long loop map match mod mut namespace new nil null ' +
      'package private protected pub public range return self static string struct super switch this throw trait true try type ' +
      'unsigned use using val var void where while',
  },
  {
    names: 'py python rb ruby',
    comments: HASHES,
    keywords:
      'and as assert async await begin break class continue def del do elif else elsif end ensure except False finally for from ' +
      'global if import in is lambda module next nil None nonlocal not or pass raise require rescue return self True try unless ' +
      'until while with yield',
  },
  {
    names: 'sh bash zsh shell console dockerfile makefile make',
    comments: HASHES,
    keywords:
      'break case cd continue do done echo elif else esac eval exec exit export fi for function if in local read return set ' +
      'shift source then trap unset until while CMD COPY ENTRYPOINT ENV FROM RUN WORKDIR',
  },
  { names: 'yaml yml toml ini', comments: HASHES, keywords: 'false no null true yes' },
  { names: 'json jsonc json5', comments: SLASHES, keywords: 'false null true' },
  {
    names: 'sql',
    comments: /--.*/,
    keywords:
      'all alter and as asc begin between by case commit count create delete desc distinct drop else end exists from group having ' +
      'in index inner insert into is join key left like limit not null on or order outer primary references rollback select set ' +
      'table then union unique update values view when where with',
    anyCase: true,
  },
]

const BY_NAME = new Map(LANGUAGES.flatMap((each) => each.names.split(' ').map((name) => [name, each] as const)))

/** What is escaped begins no string, and what is a word holds no number. */
const REST =
  /\\[\s\S]|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)/u

/** Lines of code with their colours; null for a language that is not known. The text stays what it is. */
export function coloredCode(code: string, language: string): readonly (readonly StyledText[])[] | null {
  const known = BY_NAME.get(language.toLowerCase())
  if (known === undefined) return null
  const keywords = new Set(known.keywords.split(' '))
  const lines: StyledText[][] = [[]]
  const put = (text: string, styles: readonly Style[]): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, styles })
    }
  }
  let at = 0
  const tokens = new RegExp(`(?<comment>${known.comments.source})|${REST.source}`, 'gu')
  for (const { 0: found, index, groups = {} } of code.matchAll(tokens)) {
    const { word } = groups
    const isKeyword = word !== undefined && keywords.has(known.anyCase ? word.toLowerCase() : word)
    const kind = KINDS.find(([name]) => groups[name] !== undefined)
    const styles = isKeyword ? KEYWORD : kind?.[1]
    if (styles === undefined) continue
    put(code.slice(at, index), [])
    put(found, styles)
    at = index + found.length
  }
  put(code.slice(at), [])
  return lines
}

const KEYWORD: readonly Style[] = ['magenta']
const KINDS: readonly (readonly [string, readonly Style[]])[] = [
  ['comment', ['dim']],
  ['text', ['green']],
  ['number', ['yellow']],
]
