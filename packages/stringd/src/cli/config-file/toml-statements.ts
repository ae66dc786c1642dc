import { LIMITS } from '@string-os/protocol'
/** A statement of a TOML file, by where it stands: the header of a table, or a key with its value. */
export interface TomlStatement {
  readonly kind: 'table' | 'tables' | 'pair'
  /** Of a pair, without the table in which it stands. */
  readonly path: readonly string[]
  readonly start: number
  /** Before a comment or the end of the line. */
  readonly end: number
}

export type TomlStatements =
  | { readonly ok: true; readonly statements: readonly TomlStatement[] }
  | { readonly ok: false; readonly offset: number; readonly problem: string }

/** Thrown and caught within `parseToml`. */
class NotToml extends Error {
  readonly offset: number

  constructor(offset: number, problem: string) {
    super(problem)
    this.offset = offset
  }
}

/** Reads TOML as far as an editor needs it: which statement stands where. Every value is read, none is kept. */
export function parseToml(text: string): TomlStatements {
  try {
    return { ok: true, statements: new Reader(text).whole() }
  } catch (error) {
    if (!(error instanceof NotToml)) throw error
    return { ok: false, offset: error.offset, problem: error.message }
  }
}

const INLINE_BLANK = /[ \t]*/y
const COMMENT = /#[^\n]*/y
const LINE_END = /\r?\n|$/y
/** Between the values of an array, comments and ends of lines too. */
const BLANK = /(?:[ \t\r\n]+|#[^\n]*)*/y
const BARE_KEY = /[\w-]+/y
const ESCAPE = '\\\\(?:["\\\\bfnrte]|u[\\da-fA-F]{4}|U[\\da-fA-F]{8}|x[\\da-fA-F]{2})'
const BASIC = new RegExp(`"[^"\\\\\\r\\n]*(?:${ESCAPE}[^"\\\\\\r\\n]*)*"`, 'y')
const LITERAL = /'[^'\r\n]*'/y
const LONG_BASIC = /"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"{3,5}/y
const LONG_LITERAL = /'''[^']*(?:'(?!'')[^']*)*'{3,5}/y
const SCALAR = new RegExp(
  `(?:${[
    'true|false|[+-]?(?:inf|nan)',
    '\\d{4}-\\d\\d-\\d\\d(?:[Tt ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:[Zz]|[+-]\\d\\d:\\d\\d)?)?',
    '\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?',
    '0x[\\da-fA-F_]+|0o[0-7_]+|0b[01_]+',
    '[+-]?(?:0|[1-9](?:_?\\d)*)(?:\\.\\d(?:_?\\d)*)?(?:[eE][+-]?\\d(?:_?\\d)*)?',
  ].join('|')})(?![\\w.+:-])`,
  'y',
)

class Reader {
  readonly #text: string
  #at: number

  constructor(text: string) {
    this.#text = text
    this.#at = text.startsWith('\ufeff') ? 1 : 0
  }

  whole(): TomlStatement[] {
    const statements: TomlStatement[] = []
    while (this.#at < this.#text.length) {
      this.#match(INLINE_BLANK)
      const isEmpty = /[#\r\n]|^$/.test(this.#text[this.#at] ?? '')
      if (!isEmpty) statements.push(this.#text[this.#at] === '[' ? this.#header() : this.#pair())
      this.#match(INLINE_BLANK)
      this.#match(COMMENT)
      if (this.#match(LINE_END) === null) throw this.#wrong('the end of the line is expected')
    }
    return statements
  }

  #header(): TomlStatement {
    const start = this.#at
    const isList = this.#text.startsWith('[[', start)
    this.#take(isList ? '[[' : '[')
    const path = this.#path()
    this.#take(isList ? ']]' : ']')
    return { kind: isList ? 'tables' : 'table', path, start, end: this.#at }
  }

  #pair(depth = 0): TomlStatement {
    const start = this.#at
    const path = this.#path()
    this.#take('=')
    this.#match(INLINE_BLANK)
    this.#value(depth)
    return { kind: 'pair', path, start, end: this.#at }
  }

  #path(): string[] {
    const path: string[] = []
    do {
      this.#match(INLINE_BLANK)
      path.push(this.#key())
      this.#match(INLINE_BLANK)
    } while (this.#takes('.'))
    return path
  }

  #key(): string {
    const bare = this.#match(BARE_KEY)
    if (bare !== null) return bare
    const literal = this.#match(LITERAL)
    if (literal !== null) return literal.slice(1, -1)
    const basic = this.#match(BASIC)
    if (basic === null) throw this.#wrong('a key is expected')
    // What JSON has no escape for would have to be spelt out to be ours.
    return /\\[Uex]/.test(basic) ? basic : (JSON.parse(basic.replaceAll('\t', '\\t')) as string)
  }

  #value(depth: number): void {
    if (depth > LIMITS.configFileDepth) throw this.#wrong('it is nested too deeply')
    if (this.#takes('[')) this.#items(']', () => this.#value(depth + 1))
    else if (this.#takes('{')) this.#items('}', () => this.#pair(depth + 1))
    else if ([LONG_BASIC, LONG_LITERAL, BASIC, LITERAL, SCALAR].every((pattern) => this.#match(pattern) === null))
      throw this.#wrong('a value is expected')
  }

  #items(closing: string, read: () => void): void {
    this.#match(BLANK)
    let isComplete = true
    while (!this.#takes(closing)) {
      if (!isComplete) throw this.#wrong(`a comma or ${closing} is expected`)
      read()
      this.#match(BLANK)
      isComplete = this.#takes(',')
      this.#match(BLANK)
    }
  }

  #take(mark: string): void {
    if (!this.#takes(mark)) throw this.#wrong(`${mark} is expected`)
  }

  #takes(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at = pattern.lastIndex
    return found[0]
  }

  #wrong(problem: string): NotToml {
    return new NotToml(this.#at, problem)
  }
}
