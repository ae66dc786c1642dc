/** What may hold a value; `@` stands for the parameters `$1`, `$@` and so on. */
type Fact =
  /** A variable that may hold a value of a field. */
  | 'holds'
  /** A variable that is given something. */
  | 'given'
  /** A variable that is given something that is not surely a number. */
  | 'text'
  | 'array'
  | 'function'
  /** The name of a file that a command with a value was told. */
  | 'file'
  /** One that is written to. */
  | 'target'
  /** A command whose output goes where a value says. */
  | 'anywhere'
  /**
   * What is true of the script as a whole: `own`, it runs a program of its author; `input`, functions may read a value, or `foreign` text;
   * `holds`, a variable may hold one; `writes`, a file may; `somewhere`, one that a variable names.
   */
  | 'script'

/**
 * What is known of a script as a whole, wherever it stands in it: a name that holds a value once may hold it always. It
 * only ever grows, so the script is gone through until nothing is added.
 */
export class Facts {
  readonly #known = new Set<string>()

  get size(): number {
    return this.#known.size
  }

  add(fact: Fact, name: string): void {
    this.#known.add(`${fact} ${name}`)
  }

  has(fact: Fact, name: string): boolean {
    return this.#known.has(`${fact} ${name}`)
  }

  /** Whether a variable is only ever given numbers. */
  isNumber(name: string): boolean {
    return this.has('given', name) && !this.has('text', name) && !this.has('holds', name)
  }

  /** Whether a command other than this one writes to a file that a value names. */
  writesAnywhere(at: number): boolean {
    return [...this.#known].some((fact) => fact.startsWith('anywhere ') && fact !== `anywhere ${at}`)
  }
}
