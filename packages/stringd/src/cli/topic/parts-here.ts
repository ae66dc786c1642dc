/** Commands of which the argument may be a part of the open document, and what names such parts. */
const NAMED: readonly RegExp[] = [
  /^\/{1,2}(?:open|edit|write|append|replace|verify)\s+([#@]\S+)/,
  /^\/{1,2}act[.\s]\s*([^\s-]\S*)/,
]
const ASKED: readonly string[] = ['open #', 'open @', 'act ']

/** Asks what may follow a command. */
type AskNames = (command: string) => Promise<readonly string[]>

/** Blocks, shortcuts and actions of the open document: what a line names of another one means nothing here. */
export class PartsHere {
  readonly #ask: AskNames
  #known: Promise<void> | null = null
  #names: ReadonlySet<string> = new Set()

  constructor(ask: AskNames) {
    this.#ask = ask
  }

  /** Another document may be open now, or the same one changed. */
  forget(): void {
    this.#known = null
    this.#names = new Set()
  }

  /** Whether there is what a line names. What is not known yet is asked for, and answered the next time. */
  has(line: string): boolean {
    const named = NAMED.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined)
    if (named === undefined) return true
    if (this.#known === null) this.#learn()
    return this.#names.has(named)
  }

  #learn(): void {
    const asked = Promise.all(ASKED.map((command) => this.#ask(command).catch(() => []))).then((found) => {
      if (this.#known === asked) this.#names = new Set(found.flat())
    })
    this.#known = asked
  }
}
