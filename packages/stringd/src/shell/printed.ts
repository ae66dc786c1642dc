import { LIMITS } from '@string-os/protocol'
import type { Output } from './output.ts'
import { screenText } from './screen-text.ts'

/** What a reader gets. */
export interface Portion {
  readonly output: Output
  /** Of what came before that and after the reader's place, what is not kept any more. */
  readonly missedBytes: number
}

/** A line that has not ended: most often a program asks something there. */
export interface OpenLine {
  readonly text: string
  /** Before it. */
  readonly place: string
}

/**
 * All that a shell prints. Whoever says up to where they have read gets what came after it, whoever else was answered meanwhile;
 * all others share one place, which is where the last answer ended.
 */
export class Printed {
  readonly #name: string
  readonly #newOutput: () => Output
  #total = 0
  #chunks: Buffer[] = []
  #kept = 0
  /** What came after the last answer, and where that ended. */
  #shared: Output
  #answered = 0
  /** Where the line that has not ended begins. */
  #line = 0

  /** `name` is in its places: one of another shell is before all that this one prints. */
  constructor(name: string, newOutput: () => Output) {
    this.#name = name
    this.#newOutput = newOutput
    this.#shared = newOutput()
  }

  /** Where whoever has read all is. */
  get place(): string {
    return this.placeOf(this.#total)
  }

  /** How much that is. */
  get total(): number {
    return this.#total
  }

  /** What is kept of what came after a position, and where that begins. */
  since(position: number): { readonly bytes: Buffer; readonly from: number } {
    const from = Math.max(position, this.#total - this.#kept)
    return { bytes: this.#from(from), from }
  }

  positionOf(place: string): number {
    const [name, position] = place.split(':')
    return name === this.#name ? Math.min(Number(position) || 0, this.#total) : 0
  }

  placeOf(position: number): string {
    return `${this.#name}:${position}`
  }

  /** Null where all lines have ended. */
  get line(): OpenLine | null {
    const bytes = this.#total - this.#line
    if (bytes === 0 || bytes > Math.min(LIMITS.openLineBytes, this.#kept)) return null
    const text = withoutEnd(this.#from(this.#line).toString())
    return text.trim() === '' ? null : { text, place: this.placeOf(this.#line) }
  }

  /** Something is typed: whoever looks sees the next line. */
  endLine(): void {
    this.#line = this.#total
  }

  add(bytes: Buffer): void {
    this.#shared.add(bytes)
    const end = bytes.lastIndexOf(10)
    if (end !== -1) this.#line = this.#total + end + 1
    this.#total += bytes.length
    this.#chunks.push(bytes)
    this.#kept += bytes.length
    while (this.#kept - (this.#chunks[0]?.length ?? 0) >= LIMITS.shellTailBytes)
      this.#kept -= this.#chunks.shift()?.length ?? 0
  }

  /** What came after a place; null: after the last answer. Either way this is the last answer then. */
  take(seen: string | null): Portion {
    const shared = this.#shared
    const began = this.#answered
    this.#shared = this.#newOutput()
    this.#answered = this.#total
    shared.end()
    const from = seen === null ? began : this.positionOf(seen)
    // Where both are the same, the shared one holds more.
    if (from === began) return { output: shared, missedBytes: 0 }
    if (from < this.#total - this.#kept) return { output: shared, missedBytes: Math.max(0, began - from) }
    return { output: this.#outputFrom(from), missedBytes: 0 }
  }

  end(): void {
    this.#shared.end()
  }

  #outputFrom(position: number): Output {
    const output = this.#newOutput()
    output.add(this.#from(position))
    output.end()
    return output
  }

  #from(position: number): Buffer {
    return Buffer.concat(this.#chunks).subarray(position - (this.#total - this.#kept))
  }
}

/** What a line shows, with the blanks at its end: what is typed stands behind them. */
function withoutEnd(line: string): string {
  const marked = screenText(`${line}|`)
  return marked.endsWith('|') ? marked.slice(0, -1) : screenText(line)
}
