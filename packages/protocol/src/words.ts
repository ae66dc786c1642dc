import { LIMITS } from './limits.ts'
import { type Failure, fail } from './result.ts'

const PIECE =
  /(?<blank>[ \t\r\n]+)|'(?<single>[^']*)'|"(?<double>[^"\\]*(?:\\[\s\S][^"\\]*)*)"|\$'(?<dollar>[^'\\]*(?:\\[\s\S][^'\\]*)*)'|\\(?<escaped>[\s\S])|(?<bare>[^ \t\r\n'"\\$]+|\$(?!'))/gy

const QUOTING = /['"\\$]/
const BLANKS = /[ \t\r\n]+/

/** Only before these a backslash means something in double quotes; before all else it is a backslash. */
const DOUBLE_ESCAPE = /\\(?:([$`"\\])|\n)/g
/** The same where `{name}` is replaced, so that `{` is as `$` is. */
const DOUBLE_TYPED = /\\(?:([$`"\\{])|\n)/g
/** Stands in front of what a backslash has made text: no value may hold a NUL. */
const TEXT_MARK = '\0'
const DOLLAR_ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|c([@-_a-z])|([abefnrtv\\'"?]))/g
const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The words of a line by POSIX quoting: `'…'`, `"…"`, `$'…'` and the backslash. Null when one of them has no end. */
export function splitWords(text: string): string[] | null {
  return split(text, false)
}

/** The same for words in which `{name}` is replaced: before `{` and `$` that a backslash made text stands a mark. */
export function splitTyped(text: string): string[] | null {
  return split(text, true)
}

/** Fills the references of a typed word, and takes its marks off. What `fill` gives is not looked at again. */
export function fillTyped(word: string, fill: (whole: string, name: string) => string): string {
  return word.replace(TYPED, (whole, text?: string, name?: string) =>
    name === undefined ? (text ?? '') : fill(whole, name),
  )
}

const TYPED = new RegExp(`${TEXT_MARK}(\\$\\{[a-z][a-z0-9_]*\\}|[{$])|\\{([a-z][a-z0-9_]*)\\}`, 'g')

/** `$NAME` or `${NAME}` in a typed word that no backslash has made text. */
export function variableIn(word: string): string | null {
  return VARIABLE.exec(word)?.[1] ?? null
}

const VARIABLE = new RegExp(`(?<!${TEXT_MARK})\\$\\{?([A-Za-z][A-Za-z0-9_]*)`)

function split(text: string, isTyped: boolean): string[] | null {
  // Most lines quote nothing, and are read in a third of the time.
  if (!QUOTING.test(text)) return text.split(BLANKS).filter((word) => word !== '')
  const words: string[] = []
  let word: string | null = null
  let end = 0
  for (const { 0: whole, groups: { blank, single, double, dollar, escaped, bare } = {} } of text.matchAll(PIECE)) {
    end += whole.length
    if (blank !== undefined) {
      if (word !== null) words.push(word)
      word = null
    } else if (escaped !== '\n')
      word =
        (word ?? '') +
        (bare ??
          (isTyped && escaped !== undefined ? escaped.replace(/[{$]/, mark) : escaped) ??
          single ??
          (isTyped
            ? double?.replace(DOUBLE_TYPED, (_, one: string = '') => one.replace(/[{$]/, mark))
            : double?.replace(DOUBLE_ESCAPE, '$1')) ??
          dollar?.replace(DOLLAR_ESCAPE, dollarEscape) ??
          '')
  }
  if (end < text.length) return null
  return word === null ? words : [...words, word]
}

function mark(text: string): string {
  return `${TEXT_MARK}${text}`
}

interface LineWords {
  readonly ok: true
  readonly words: readonly string[]
  /** The same as `splitTyped` gives them. */
  readonly typed: readonly string[]
}

/** The words of a line that somebody typed, or what is wrong with it and what to do about that. */
export function lineWords(
  line: string,
  hints: { readonly tooLong: string; readonly unclosed: () => readonly [...string[], string] },
): LineWords | Failure {
  if (line.length > LIMITS.commandLineChars)
    return fail(
      'INVALID_PARAMS',
      `The command line is longer than ${LIMITS.commandLineChars} characters`,
      hints.tooLong,
    )
  const words = splitWords(line)
  return words === null
    ? fail('INVALID_PARAMS', 'A quote or backslash is not closed', ...hints.unclosed())
    : { ok: true, words, typed: line.includes('\\') ? (splitTyped(line) ?? []) : words }
}

function dollarEscape(
  _whole: string,
  hex?: string,
  unicode?: string,
  octal?: string,
  control?: string,
  one = '',
): string {
  const code = hex ?? unicode
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f)
  return CONTROLS[one] ?? one
}
