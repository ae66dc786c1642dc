import type { Key } from 'node:readline'
import { typedBy } from './keys.ts'

/** Who types a word goes on sooner than this; who has turned a page reads first. */
const READING_MS = 500
/** Who has left it looks for the prompt before they type, however short that is. */
const LEAVING_MS = 150

/** Only a word goes on: a command begins a line of its own. */
const WORD = /[\p{L}\p{M}\p{N}' -]/u

/**
 * Letters that a pager took for its keys. Where more letters follow at once, all of them were the beginning of a text, and
 * nothing of it is lost.
 */
export class PagerLetters {
  readonly #now: () => number
  #taken = ''
  #until = 0

  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /** A key that the pager has heeded, perhaps by going away. */
  add(text: string | undefined, key: Key, isOver: boolean): void {
    const before = this.#recent()
    const typed = wordPart(text, key)
    this.#taken = typed === null ? '' : `${before}${typed}`.trimStart()
    this.#until = this.#now() + (isOver ? LEAVING_MS : READING_MS)
  }

  /** What stands before the text of a key that the pager has left to others. */
  before(text: string | undefined, key: Key): string {
    const taken = wordPart(text, key) === null ? '' : this.#recent()
    this.#taken = ''
    return taken
  }

  #recent(): string {
    return this.#now() < this.#until ? this.#taken : ''
  }
}

function wordPart(text: string | undefined, key: Key): string | null {
  const typed = typedBy(text, key)
  return typed !== null && WORD.test(typed) ? typed : null
}
