import type { Problem } from './field.ts'

/** Follows the values of fields one step further: names that hold one must not be evaluated in the same script. */
export class Taint {
  readonly #names = new Set<string>()
  readonly #evaluated = new Set<string>()
  #hasIntegers = false

  hold(names: readonly string[]): void {
    for (const name of names) if (name !== '') this.#names.add(name)
  }

  /** Takes a part of the script that bash evaluates; `$` stands for `$1`, `$@` and the like. */
  evaluate(text: string): void {
    for (const [name] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)) this.#evaluated.add(name)
    if (/\$\{?[0-9@*]/.test(text)) this.#evaluated.add('$')
  }

  /** Takes an expansion: an index, a substring and arithmetic are evaluated, code between backticks is looked at no closer. */
  region(text: string): void {
    if (/^\$?\(\(|^\$\[|^`|^\$\{.*(\[|:[^-+=?])/s.test(text)) this.evaluate(text.replace(/^\$\{/, ''))
  }

  /** From now on assignments may be evaluated. */
  declareIntegers(): void {
    this.#hasIntegers = true
  }

  problem(): Problem | null {
    if (this.#hasIntegers && this.#names.size > 0)
      return { problem: 'a field cannot be the value of a variable where others are declared with -i or -n' }
    const name = [...this.#names].find((each) => this.#evaluated.has(each))
    return name === undefined
      ? null
      : { problem: `${name === '$' ? 'a parameter' : name} holds a field and is evaluated further on` }
  }
}
