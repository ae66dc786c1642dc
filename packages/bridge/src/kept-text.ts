import { TextBudget } from './text-budget.ts'
import type { WireSettings } from './wire.ts'

/** Lines of an agent joined by LF, as many as a reply may have. */
export class KeptText {
  readonly #budget: TextBudget
  readonly #parts: Buffer[] = []
  /** Of the chunk that is being read. */
  #fresh = ''
  #hasLines = false

  constructor({ maxReplyChars, truncationSuffix }: WireSettings) {
    this.#budget = new TextBudget(maxReplyChars, truncationSuffix)
  }

  get isCut(): boolean {
    return this.#budget.isCut
  }

  get retainedBytes(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, 0) + Buffer.byteLength(this.#fresh)
  }

  add(lines: string): void {
    if (this.#budget.isCut) return
    this.#fresh += this.#budget.take(this.#hasLines ? `\n${lines}` : lines) ?? ''
    this.#hasLines = true
  }

  /** Lines are views of the chunk they came in: what is kept of them is copied, or it would keep the chunk. */
  settle(): void {
    if (this.#fresh === '') return
    this.#parts.push(Buffer.from(this.#fresh))
    this.#fresh = ''
  }

  text(): string {
    this.settle()
    return Buffer.concat(this.#parts).toString()
  }
}
