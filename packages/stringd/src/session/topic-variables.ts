/** Who gave a variable its value: whoever speaks to the topic, or the answer of an action. */
type Source = 'caller' | 'response'

/** What decides where curl sends requests and what npm runs is written in the script by whoever means it. */
const STEERS = /_proxy$|^npm_/

/** The `{name}`s of a topic. */
export class TopicVariables {
  readonly #values = new Map<string, string>()
  readonly #named = new Set<string>()

  get all(): ReadonlyMap<string, string> {
    return this.#values
  }

  set(name: string, value: string, source: Source): void {
    this.#values.set(name, value)
    if (source === 'caller') this.#named.add(name)
    else this.#named.delete(name)
  }

  delete(name: string): void {
    this.#values.delete(name)
    this.#named.delete(name)
  }

  /**
   * For a process: each as `STRING_VAR_NAME`, and under its own name only what the caller has named (S36). A page could
   * otherwise choose `prefix` or `yarn_registry`, which some program heeds.
   */
  environment(): ReadonlyMap<string, string> {
    const own = [...this.#named].filter((name) => !STEERS.test(name))
    return new Map([
      ...own.map((name) => [name, this.#values.get(name) ?? ''] as const),
      ...[...this.#values].map(([name, value]) => [`STRING_VAR_${name.toUpperCase()}`, value] as const),
    ])
  }
}
