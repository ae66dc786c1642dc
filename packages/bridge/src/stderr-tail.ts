import { StringDecoder } from 'node:string_decoder'

/** Keeps the end of what comes. */
export class StderrTail {
  readonly #limitBytes: number
  readonly #onText: ((text: string) => void) | undefined
  readonly #decoder = new StringDecoder()
  #tail: Buffer = Buffer.alloc(0)

  constructor(limitBytes: number, onText: ((text: string) => void) | undefined) {
    this.#limitBytes = limitBytes
    this.#onText = onText
  }

  write(chunk: Buffer): void {
    this.#onText?.(this.#decoder.write(chunk))
    const all = Buffer.concat([this.#tail, chunk.subarray(-this.#limitBytes)])
    // A copy: a view would keep all of it.
    this.#tail = all.length > this.#limitBytes ? Buffer.from(all.subarray(-this.#limitBytes)) : all
  }

  /** Without the rest of a character that the cut went through. */
  text(): string {
    return this.#tail.toString().replace(/^\ufffd{1,3}/, '')
  }
}
