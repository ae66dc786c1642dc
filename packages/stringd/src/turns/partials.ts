import { ChanFlowDecoder, LIMITS, MaskedStream, type Masker } from '@string-os/protocol'

/** Partials on their way out: without blocks, which are not for people, and without secrets. */
export class Partials {
  readonly #decoder: ChanFlowDecoder | null
  readonly #masked: MaskedStream
  readonly #forward: ((text: string) => void) | null
  readonly #parts: string[] = []
  #chars = 0

  /** Without `forward` they are only kept. */
  constructor(hasBlocks: boolean, secrets: Masker, forward: ((text: string) => void) | null) {
    this.#decoder = hasBlocks ? new ChanFlowDecoder() : null
    this.#masked = new MaskedStream(secrets)
    this.#forward = forward
  }

  /** All of it, as it came. */
  get text(): string {
    return this.#parts.join('')
  }

  /** Whoever listens has heard all of what is no block. */
  get areForwarded(): boolean {
    return this.#forward !== null && this.#chars > 0
  }

  push(text: string): void {
    if (this.#chars < LIMITS.turnStepBytes) this.#parts.push(text)
    this.#chars += text.length
    this.#send(this.#decoder === null ? text : outside(this.#decoder.push(text)))
  }

  end(): void {
    if (this.#decoder !== null) this.#send(outside(this.#decoder.end()))
    const rest = this.#masked.end()
    if (rest !== '') this.#forward?.(rest)
  }

  #send(text: string): void {
    const shown = this.#masked.push(text)
    if (shown !== '') this.#forward?.(shown)
  }
}

function outside(items: ReturnType<ChanFlowDecoder['push']>): string {
  return items.map((item) => (item.type === 'text' ? item.text : '')).join('')
}
