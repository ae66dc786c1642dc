import { LIMITS } from '@string-os/protocol'
import { lastBytes } from '../both-ends.ts'
import { screenText } from './screen-text.ts'

/** What was typed, and what has been printed since: up to the end of that line it may be its echo. */
interface Typed {
  readonly text: string
  readonly since: readonly Buffer[]
}

/** The end of all that a shell printed and was told, for whoever looks on. */
export class ScreenTail {
  #chunks: Buffer[] = []
  #bytes = 0
  #typed: Typed | null = null

  add(chunk: Buffer): void {
    if (this.#typed === null) return this.#push(chunk)
    this.#typed = { ...this.#typed, since: [...this.#typed.since, chunk] }
    if (chunk.includes(10) || this.#typed.since.length > LIMITS.echoPieces) this.#settle()
  }

  /** A line is typed behind what is there. Some programs show it themselves. */
  type(text: string): void {
    this.#settle()
    this.#typed = { text, since: [] }
  }

  text(): string {
    const end = Buffer.concat([...this.#chunks, ...shownOf(this.#typed)]).subarray(-LIMITS.screenBytes)
    return lastBytes(screenText(end.toString('utf8')), LIMITS.screenBytes)
  }

  #settle(): void {
    const shown = shownOf(this.#typed)
    this.#typed = null
    for (const chunk of shown) this.#push(chunk)
  }

  #push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= LIMITS.screenBytes)
      this.#bytes -= this.#chunks.shift()?.length ?? 0
  }
}

function shownOf(typed: Typed | null): readonly Buffer[] {
  if (typed === null) return []
  const { text, since } = typed
  const [line = ''] = screenText(Buffer.concat(since).toString('utf8')).split('\n', 1)
  return line.trim() === text.trim() ? since : [Buffer.from(`${text}\n`), ...since]
}
