import type { Key } from 'node:readline'
import type { CompletionView } from '@string-os/protocol'

export type AskCompletion = (text: string, signal: AbortSignal) => Promise<CompletionView | null>

type Pressed = readonly [string | undefined, Key]

/** Whose text is completed. */
export interface Completed {
  /** Null where nothing is to be completed. */
  readonly text: () => string | null
  /** What there is for a text has become known. */
  readonly take: (text: string, view: CompletionView) => void
  /** Keys that had to wait. */
  readonly press: (text: string | undefined, key: Key) => void
}

/** A question about what may follow. */
interface Asking {
  readonly timer: NodeJS.Timeout
  readonly abort: AbortController
}

/** Typing is not interrupted by questions about each letter. */
const PAUSE_MS = 40
/** How long keys behind Tab wait for its answer. */
const HOLD_MS = 1_000

/** Asks what may stand where a text ends: in a pause of typing, or at once for Tab. */
export class CompletionAsker {
  readonly #complete: AskCompletion | undefined
  readonly #completed: Completed
  #asking: Asking | null = null
  #asked: string | null = null
  /** Keys that wait for what Tab asked for. */
  #held: Pressed[] | null = null

  constructor(complete: AskCompletion | undefined, completed: Completed) {
    this.#complete = complete
    this.#completed = completed
  }

  /** Whether a key waits: what is typed behind Tab is meant for what Tab will have made of the text. */
  holds(text: string | undefined, key: Key): boolean {
    this.#held?.push([text, key])
    return this.#held !== null
  }

  /** What waited is not wanted any more. */
  drop(): void {
    this.#held = null
  }

  soon(): void {
    this.#ask(PAUSE_MS)
  }

  /** Also about a text that was asked about before. */
  anew(): void {
    this.#asked = null
    this.soon()
  }

  /** `again` is the key that asks, where it is to be pressed once more with the answer. */
  now(again: Pressed | null = null): void {
    const asked = this.#ask(0)
    const held = again === null ? [] : [again]
    if (asked === null) return this.#press(held)
    this.#held = held
    setTimeout(() => this.#asking === asked && this.#release(), HOLD_MS).unref()
  }

  stop(): void {
    if (this.#asking === null) return
    clearTimeout(this.#asking.timer)
    this.#asking.abort.abort()
    this.#asking = null
    this.#asked = null
  }

  #release(): void {
    const held = this.#held ?? []
    this.#held = null
    this.#press(held)
  }

  #press(keys: readonly Pressed[]): void {
    for (const [text, key] of keys) this.#completed.press(text, key)
  }

  /** Null where there is nothing to ask. */
  #ask(pauseMs: number): Asking | null {
    const complete = this.#complete
    const text = this.#completed.text()
    if (complete === undefined || text === null || (text === this.#asked && pauseMs > 0)) return null
    this.stop()
    this.#asked = text
    const abort = new AbortController()
    const ask = async (): Promise<void> => {
      const view = await complete(text, abort.signal)
      if (abort.signal.aborted) return
      if (view !== null) this.#completed.take(text, view)
      this.#release()
      this.soon()
    }
    this.#asking = { abort, timer: setTimeout(() => void ask(), pauseMs) }
    return this.#asking
  }
}
