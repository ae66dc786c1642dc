import type { Text } from './frame.ts'

/** The text of a turn put together from pieces that say at which byte they begin. */
export class GrowingText {
  #text = ''
  #bytes = 0

  get text(): string {
    return this.#text
  }

  set(text: string): void {
    this.#text = text
    this.#bytes = new TextEncoder().encode(text).length
  }

  /** False where something is missing before the piece. One that begins earlier takes the place of what was there. */
  add({ offset, text }: Text): boolean {
    if (offset > this.#bytes) return false
    if (offset < this.#bytes) this.set(new TextDecoder().decode(new TextEncoder().encode(this.#text).slice(0, offset)))
    this.#text += text
    this.#bytes += new TextEncoder().encode(text).length
    return true
  }
}
