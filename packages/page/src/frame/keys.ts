/** One key, or two one after the other (`g a`), and what it does. */
export interface Key {
  readonly keys: string
  readonly about: string
  readonly run: () => void
  /** It does the same in every place. */
  readonly isEverywhere?: true
}

/** How long the second key of a pair is waited for. */
const PAIR_MS = 1_500

/** The keys that do something now; those that came last are asked first. */
export class Keys {
  readonly #groups: (readonly Key[])[] = []
  #first: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    addEventListener('keydown', (event) => this.#pressed(event))
  }

  add(keys: readonly Key[]): () => void {
    this.#groups.push(keys)
    return () => this.#groups.splice(this.#groups.indexOf(keys), 1)
  }

  all(): readonly Key[] {
    return this.#groups.flat()
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return
    // What a dialog shows hides everything behind it, keys included.
    if (document.querySelector('dialog[open]') !== null) return
    const pressed = this.#first === null ? event.key : `${this.#first} ${event.key}`
    this.#forget()
    const found = this.#groups
      .toReversed()
      .flat()
      .find(({ keys }) => keys === pressed)
    if (found !== undefined) {
      event.preventDefault()
      found.run()
    } else if (this.all().some(({ keys }) => keys.startsWith(`${event.key} `))) this.#await(event.key)
  }

  #await(first: string): void {
    this.#first = first
    this.#timer = setTimeout(() => this.#forget(), PAIR_MS)
  }

  #forget(): void {
    this.#first = null
    clearTimeout(this.#timer)
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select')
}
