import { StringDecoder } from 'node:string_decoder'
import type { Masker } from '@string-os/protocol'
import { maskedEnd } from './secrets.ts'

/** Keeps the end of what comes, to be shown without secrets. */
export class OutputTail {
  readonly #limitBytes: number
  /** More than is shown: the rest of a secret that the cut went through could not be told from other text. */
  readonly #keptBytes: number
  readonly #secrets: Masker
  readonly #onText: ((text: string) => void) | undefined
  readonly #decoder = new StringDecoder()
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0

  constructor(limitBytes: number, secrets: Masker, onText?: (text: string) => void) {
    this.#limitBytes = limitBytes
    this.#keptBytes = limitBytes + secrets.longestBytes
    this.#secrets = secrets
    this.#onText = onText
  }

  /** What came first is not shown. */
  get isCut(): boolean {
    return this.#bytes > this.#limitBytes
  }

  write(chunk: Buffer): void {
    this.#onText?.(this.#decoder.write(chunk))
    this.#bytes += chunk.length
    const all = Buffer.concat([this.#tail, chunk.subarray(-this.#keptBytes)])
    // A copy: a view would keep all of it.
    this.#tail = all.length > this.#keptBytes ? Buffer.from(all.subarray(-this.#keptBytes)) : all
  }

  /** While more may come, its last word may be the beginning of a secret. */
  text({ isOpen = false } = {}): string {
    return maskedEnd(this.#tail, this.#secrets, this.#limitBytes, isOpen)
  }
}
