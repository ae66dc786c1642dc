import { LIMITS } from '@string-os/protocol'
/** A value in a text, by where it stands. */
export interface JsonNode {
  readonly start: number
  readonly end: number
  /** Of an object; null for every other value. */
  readonly members: readonly JsonMember[] | null
}

export interface JsonMember {
  readonly name: string
  readonly start: number
  readonly value: JsonNode
  /** Whether a comma follows, as it may behind the last member too. */
  readonly hasComma: boolean
}

/** Thrown and caught within `parseJsonTree`. */
class NotJson extends Error {
  readonly offset: number

  constructor(offset: number, problem: string) {
    super(problem)
    this.offset = offset
  }
}

export type JsonTree =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly offset: number; readonly problem: string }

/** Reads JSON with comments and commas behind last members, as editors do. */
export function parseJsonTree(text: string): JsonTree {
  try {
    const reader = new Reader(text)
    return { ok: true, root: reader.whole() }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return { ok: false, offset: error.offset, problem: error.message }
  }
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string holds none
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const BLANK = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

class Reader {
  readonly #text: string
  #at: number

  constructor(text: string) {
    this.#text = text
    this.#at = text.startsWith('\ufeff') ? 1 : 0
  }

  whole(): JsonNode {
    this.#skip()
    const root = this.#value(0)
    this.#skip()
    if (this.#at < this.#text.length) throw this.#wrong('nothing more is expected')
    return root
  }

  #value(depth: number): JsonNode {
    if (depth > LIMITS.configFileDepth) throw this.#wrong('it is nested too deeply')
    const start = this.#at
    if (this.#text[start] === '{') return { start, members: this.#object(depth), end: this.#at }
    if (this.#text[start] === '[') this.#list(depth)
    else if (this.#match(STRING) === null && this.#match(SCALAR) === null) throw this.#wrong('a value is expected')
    return { start, end: this.#at, members: null }
  }

  #object(depth: number): JsonMember[] {
    const members: JsonMember[] = []
    this.#take('{')
    for (;;) {
      if (this.#takes('}')) return members
      if (members.at(-1)?.hasComma === false) throw this.#wrong('a comma or } is expected')
      const start = this.#at
      const name = this.#name()
      if (members.some((member) => member.name === name)) throw this.#wrong(`${JSON.stringify(name)} is there twice`)
      this.#skip()
      this.#take(':')
      const value = this.#value(depth + 1)
      this.#skip()
      members.push({ name, start, value, hasComma: this.#takes(',') })
    }
  }

  #list(depth: number): void {
    this.#take('[')
    let isComplete = true
    while (!this.#takes(']')) {
      if (!isComplete) throw this.#wrong('a comma or ] is expected')
      this.#value(depth + 1)
      this.#skip()
      isComplete = this.#takes(',')
    }
  }

  #name(): string {
    const quoted = this.#match(STRING)
    if (quoted === null) throw this.#wrong('a name in double quotes is expected')
    return JSON.parse(quoted) as string
  }

  #take(mark: string): void {
    if (!this.#takes(mark)) throw this.#wrong(`${mark} is expected`)
  }

  /** Blanks behind a mark are skipped, but not behind the end of a value: where that ends matters. */
  #takes(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false
    this.#at += 1
    if (mark !== '}' && mark !== ']') this.#skip()
    return true
  }

  #skip(): void {
    this.#match(BLANK)
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at = pattern.lastIndex
    return found[0]
  }

  #wrong(problem: string): NotJson {
    return new NotJson(this.#at, problem)
  }
}
