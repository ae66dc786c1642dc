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
  /** The name of a file that a command with a value was told; `*` in it stands for anything. */
  | 'file'
  /** One to which something is written that is not written out in the script. */
  | 'target'
  /** A command whose output goes where a value says. */
  | 'anywhere'
  /**
   * What is true of the script as a whole: `own`, it runs a program of its author; `input`, functions may read a value, or `foreign` text;
   * `holds`, a variable may hold one; `writes`, a file may; `somewhere`, one that a variable names; `code`, one that programs take for code;
   * `git`, one that git does; `names`, the name of a file may; `hidden`, it goes into a hidden folder.
   */
  | 'script'

/**
 * What is known of a script as a whole, wherever it stands in it: a name that holds a value once may hold it always. It
 * only ever grows, so the script is gone through until nothing is added.
 */
export class Facts {
  readonly #known = new Map<Fact, Set<string>>()
  readonly #texts = new Map<string, Set<string>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(fact: Fact, name: string): void {
    this.#grow(this.#all(fact), name)
  }

  /** What a variable is given, as far as it is known. */
  addText(name: string, text: string): void {
    const texts = this.#texts.get(name) ?? new Set()
    this.#texts.set(name, texts)
    // The third says nothing new.
    if (texts.size < 2) this.#grow(texts, text)
  }

  has(fact: Fact, name: string): boolean {
    return this.#all(fact).has(name)
  }

  /** Whether a file of this name is among those that are known by their names, or by patterns of them. */
  matches(fact: 'file' | 'target', name: string): boolean {
    if (this.has(fact, name)) return true
    return [...this.#all(fact)].some((pattern) => pattern.includes('*') && isLike(name, pattern))
  }

  /** The only text that a variable is given; `*` where that is not known. */
  textOf(name: string): string {
    const [only = '*', ...others] = this.#texts.get(name) ?? []
    return others.length > 0 ? '*' : only
  }

  /** Whether a variable is only ever given numbers. */
  isNumber(name: string): boolean {
    return this.has('given', name) && !this.has('text', name) && !this.has('holds', name)
  }

  /** Whether a command other than this one writes to a file that a value names. */
  writesAnywhere(at: number): boolean {
    const places = this.#all('anywhere')
    return places.size > (places.has(`${at}`) ? 1 : 0)
  }

  #all(fact: Fact): Set<string> {
    const all = this.#known.get(fact) ?? new Set()
    this.#known.set(fact, all)
    return all
  }

  #grow(set: Set<string>, text: string): void {
    if (set.has(text)) return
    set.add(text)
    this.#size += 1
  }
}

/** `*` stands for anything, as often as it is there. */
function isLike(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === pattern
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.startsWith(first) && name.endsWith(last) && name.length - last.length >= at
}
