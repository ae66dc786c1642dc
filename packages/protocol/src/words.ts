import { LIMITS } from './limits.ts'
import { type Failure, fail } from './result.ts'

const PIECE =
  /(?<blank>[ \t\r\n]+)|'(?<single>[^']*)'|"(?<double>[^"\\]*(?:\\[\s\S][^"\\]*)*)"|\$'(?<dollar>[^'\\]*(?:\\[\s\S][^'\\]*)*)'|\\(?<escaped>[\s\S])|(?<bare>[^ \t\r\n'"\\$]+|\$(?!'))/gy

const QUOTING = /['"\\$]/
const BLANKS = /[ \t\r\n]+/

/** Only before these a backslash means something in double quotes; before all else it is a backslash. */
const DOUBLE_ESCAPE = /\\(?:([$`"\\])|\n)/g
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
          escaped ??
          single ??
          double?.replace(DOUBLE_ESCAPE, '$1') ??
          dollar?.replace(DOLLAR_ESCAPE, dollarEscape) ??
          '')
  }
  if (end < text.length) return null
  return word === null ? words : [...words, word]
}

/** The words of a line that somebody typed, or what is wrong with it and what to do about that. */
export function lineWords(
  line: string,
  hints: { readonly tooLong: string; readonly unclosed: () => readonly [...string[], string] },
): { readonly ok: true; readonly words: readonly string[] } | Failure {
  if (line.length > LIMITS.commandLineChars)
    return fail(
      'INVALID_PARAMS',
      `The command line is longer than ${LIMITS.commandLineChars} characters`,
      hints.tooLong,
    )
  const words = splitWords(line)
  return words === null
    ? fail('INVALID_PARAMS', 'A quote or backslash is not closed', ...hints.unclosed())
    : { ok: true, words }
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
