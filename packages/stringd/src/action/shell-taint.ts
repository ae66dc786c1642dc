import type { Problem } from './field.ts'

const NAMES = /[A-Za-z_][A-Za-z0-9_]*/g
/** `$((`, `$[`, `$(` or a backtick: what stands in it is evaluated, or looked at no closer. */
const EVALUATES = /^\(\(|\$\(|\$\[|`/

/** Follows the values of fields from variable to variable: names that may hold one must not be evaluated. */
export class Taint {
  readonly #names = new Set<string>()
  readonly #flows = new Map<string, Set<string>>()
  readonly #evaluated = new Set<string>()
  readonly #read = new Set<string>()
  #hasFields = false
  #hasIntegers = false

  /** A field stands here; `$` stands for `$1`, `$@` and the like. */
  hold(names: readonly string[]): void {
    this.#hasFields = true
    for (const name of names) if (name !== '') this.#names.add(name)
  }

  /** What some names hold goes into others. */
  flow(into: readonly string[], from: readonly string[]): void {
    for (const name of into.length === 0 ? [] : from) {
      const onward = this.#flows.get(name) ?? new Set()
      this.#flows.set(name, onward)
      for (const each of into) onward.add(each)
    }
  }

  /** Names that a command fills with what it reads: a file or another command may have had a field. */
  reads(names: readonly string[]): void {
    for (const name of names) this.#read.add(name)
  }

  /** Takes a part of the script that bash evaluates. */
  evaluate(text: string): void {
    for (const name of namesIn(text)) this.#evaluated.add(name)
  }

  /** Takes an expansion: arithmetic, an index, a substring, an indirect name and a prompt are evaluated. */
  region(text: string): void {
    if (EVALUATES.test(text)) return this.evaluate(text)
    const [, indirect] = /^\$\{!([A-Za-z0-9_]+)(?!\[[@*]\]|[A-Za-z0-9_@*])/.exec(text) ?? []
    const [, prompt] = /^\$\{([A-Za-z0-9_]+).*@P\}$/s.exec(text) ?? []
    const [, cut = ''] = /^\$\{[^:]*:([^-+=?].*)$/s.exec(text) ?? []
    const indexes = [...text.matchAll(/\[([^\]]*)\]?/g)].map(([, index]) => index)
    this.evaluate(
      [...[indirect, prompt].map((name) => (name === undefined ? '' : `$\{${name}}`)), cut, ...indexes].join(' '),
    )
  }

  /** From now on assignments may be evaluated. */
  declareIntegers(): void {
    this.#hasIntegers = true
  }

  problem(): Problem | null {
    const names = this.#reached()
    if (this.#hasIntegers && names.size > 0)
      return { problem: 'a field cannot be the value of a variable where others are declared with -i or -n' }
    const name = [...names].find((each) => this.#evaluated.has(each))
    return name === undefined
      ? null
      : { problem: `${name === '$' ? 'a parameter' : name} may hold a field and is evaluated; [ … ] and expr are not` }
  }

  #reached(): ReadonlySet<string> {
    const names = new Set([...this.#names, ...(this.#hasFields ? this.#read : [])])
    // What is added while it is gone through is gone through too.
    for (const name of names) for (const next of this.#flows.get(name) ?? []) names.add(next)
    return names
  }
}

/** The names in a part of a script, `$` among them where it has a parameter. */
export function namesIn(text: string): string[] {
  const names = [...text.matchAll(NAMES)].map(([name]) => name)
  return /\$\{?[0-9@*]/.test(text) ? [...names, '$'] : names
}
